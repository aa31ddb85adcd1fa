from __future__ import annotations

import pytest

from history.readers import Unreadable, parse


@pytest.mark.parametrize(
    ("written", "text"),
    [
        pytest.param(written, text, id=written)
        for written, text in {
            "007": "007",
            "1e3": "1e3",
            "no": "no",
            "2024-05-01": "2024-05-01",
            "1_000": "1_000",
            "12:30:45": "12:30:45",
            "0x1F": "0x1F",
            "71.20": "71.20",
            ".nan": ".nan",
            "-.inf": "-.inf",
            "9007199254740993": "9007199254740993",
            "true": "true",
            "'null'": "null",
            '"~"': "~",
            '"7\\t1"': "7\t1",
            "!!str ~": "~",
            "!!float '7.10'": "7.10",
            "!!int '7'": "7",
            "!!bool no": "no",
            "!!timestamp 2024-05-01": "2024-05-01",
            "!!binary aGk=": "aGk=",
            "!!seq [1]": '["1"]',
            "!!map {a: 1}": '{"a": "1"}',
            "!!set {a, b}": '{"a": null, "b": null}',
            "!!omap [{a: 1}]": '[{"a": "1"}]',
            "!!pairs [{a: 1}]": '[{"a": "1"}]',
            "! 7": "7",
            "!<tag:yaml.org,2002:str> 7": "7",
            "71.2 # best": "71.2",
            "|\n    a\n    b": "a\nb\n",
            ">-\n    a\n    b": "a b",
            "~": None,
            "null": None,
            "NULL": None,
            "": None,
        }.items()
    ],
)
def test_a_scalar_is_the_text_that_was_written(written, text):
    table = parse("yaml", f"- id: fern\n  v: {written}\n".encode()).table()
    assert list(table.literal("v").texts) == [text]


@pytest.mark.parametrize(
    ("data", "rows", "pointers"),
    [
        pytest.param(b"- {v: 1}\n- {v: 2}\n", "", ["/0/v", "/1/v"], id="a list"),
        pytest.param(b"fern: {v: 1}\nmoss: {v: 2}\n", "$", ["/fern/v", "/moss/v"], id="keyed"),
        pytest.param(b"m:\n - v: 1\n - v: 2\n", "$.m", ["/m/0/v", "/m/1/v"], id="a list inside"),
        pytest.param(b"\xef\xbb\xbf- {v: 1}\r\n- v: 2\n", "", ["/0/v", "/1/v"], id="a mark"),
        pytest.param(b"%YAML 1.2\n---\n# x\n- v: 1\n- v: 2\n...\n", "", ["/0/v", "/1/v"], id="all"),
        pytest.param(b"- &a {v: 1}\n- <<: *a\n  v: 2\n", "", ["/0/v", "/1/v"], id="merged"),
    ],
)
def test_rows_of_yaml(data, rows, pointers):
    cells = parse("yaml", data).table(rows).literal("v")
    assert (list(cells.texts), list(cells.pointers)) == (["1", "2"], pointers)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        pytest.param("[&x 7.10, *x]", ["7.10", "7.10"], id="a text used again"),
        pytest.param("[&x {a: 1}, *x]", [{"a": "1"}, {"a": "1"}], id="an object used again"),
        pytest.param("[&x a, {*x : 1}]", ["a", {"a": "1"}], id="a key used again"),
        pytest.param("[&x {a: 1, b: 2}, {<<: *x, b: 3}]", [{"a": "1", "b": "2"}] + [
            {"b": "3", "a": "1"}], id="an object's own keys win"),
        pytest.param("{<<: [{a: 1}, {a: 2, b: 3}]}", {"a": "1", "b": "3"}, id="earlier ones win"),
        pytest.param("{~: 1, 7: 2, yes: 3}", {"~": "1", "7": "2", "yes": "3"}, id="keys are texts"),
        pytest.param("[a,\n b]", ["a", "b"], id="over two lines"),
    ],
)  # fmt: skip
def test_anchors_and_keys(written, value):
    assert parse("yaml", written.encode()).value == value


BOMB = b"a: &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(
    b"%c: &%c [%s]\n" % (now, now, b",".join([b"*%c" % (now - 1)] * 9)) for now in b"bcdefghi"
)
CHAIN = b"a0: &a0 [x]\n" + b"".join(b"a%d: &a%d [*a%d]\n" % (n, n, n - 1) for n in range(1, 300))


@pytest.mark.parametrize(
    ("data", "reason", "says"),
    [
        pytest.param(
            b"fern: 81\nmoss: 80\nfern: 12\n", "repeated_key",
            "line 3: key 'fern' stands twice in one object, with 81 and 12", id="a key twice",
        ),
        pytest.param(b"- v: 1\n  v:\n", "repeated_key", "with 1 and null", id="then a gap"),
        pytest.param(b"{<<: {a: 1}, <<: {b: 2}}", "repeated_key", "key '<<'", id="merged twice"),
        pytest.param(b"- a: b\n   c: d\n", "invalid_yaml", "line 2, column 5: mapping values are"
                     " not allowed in this context, at 'c: d'", id="a step too far"),
        pytest.param(b"- a: 1\n\t- b", "invalid_yaml", "line 2, column 1", id="a tab"),
        pytest.param(b'a: "b', "invalid_yaml", "unexpected end", id="cut off"),
        pytest.param(b"a: \x01", "invalid_yaml", "line 1: control characters", id="control"),
        pytest.param(b"a: 1\n---\nb: 2\n", "invalid_yaml", "line 2: a second document", id="two"),
        pytest.param(b"? [a]\n: 1\n", "invalid_yaml", "a key that is no text", id="a list as key"),
        pytest.param(b"'<<': 1\n", "invalid_yaml", "a quoted '<<'", id="a quoted merge"),
        pytest.param(b"a: 1\n<<: 7\n", "invalid_yaml", "leads to no object", id="merging a text"),
        pytest.param(b"- v: 1\n- v:\n    !!python/object/apply:os.system [echo]\n", "invalid_yaml",
                     "line 3: the tag '!!python/object/apply:os.system' is none of YAML's own; "
                     "only plain values are read", id="a tag that runs something"),
        pytest.param(b"!!python/name:os.system ~", "invalid_yaml", "line 1: the tag '!!python/name",
                     id="a tag at the top"),
        pytest.param(b"a: !foo 1", "invalid_yaml", "the tag '!foo' is", id="a tag of one's own"),
        pytest.param(b"a: !foo {b: 1}", "invalid_yaml", "the tag '!foo'", id="of an object"),
        pytest.param(b"!foo a: 1", "invalid_yaml", "the tag '!foo'", id="of a key"),
        pytest.param(b"%TAG ! tag:yaml.org,2002:python/\n--- !name:os.system ~", "invalid_yaml",
                     "line 2: the tag '!!python/name:os.system'", id="a tag that was renamed"),
        pytest.param(b"%TAG !! tag:x.org,2026:\n--- !!str a", "invalid_yaml",
                     "the tag 'tag:x.org,2026:str'", id="a tag that only looks like YAML's own"),
        pytest.param(b"a: !<!" + b"x" * 300 + b"> 1", "invalid_yaml", "xxx...' is none",
                     id="a long tag"),
        pytest.param(b"a: *b\n", "invalid_yaml", "line 1: *b is nowhere defined", id="no anchor"),
        pytest.param(b"a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n", "conflict_markers",
                     "line 2", id="a conflict"),
        pytest.param(b"[a,\n<<<<<<< HEAD\nb,\n=======\nc]\n", "conflict_markers", "line 2",
                     id="a conflict that is YAML"),
        pytest.param(b"# nothing\n", "empty", "nothing but comments", id="comments"),
        pytest.param(b"a: \xff", "not_text", "not UTF-8 at byte 3", id="another encoding"),
        pytest.param(b"&a [*a]", "too_large", "&a holds itself", id="an object in itself"),
        pytest.param(BOMB, "too_large", "more than 1,000,000 values", id="a bomb"),
        pytest.param(b"a: &a " + b"x" * 999_999 + b"\nb: [" + b"*a," * 999 + b"]", "too_large",
                     "each counted wherever it is used", id="a bomb of one text"),
        pytest.param(b"[" * 2_000, "too_large", "nested too deep", id="deep lists"),
        pytest.param(b"[" * 101 + b"]" * 101, "too_large", "nested too deep", id="a bit too deep"),
        pytest.param(CHAIN, "too_large", "line 100: nested too deep", id="deep by aliases"),
        pytest.param(b"[" + b"a," * 1_000_001 + b"]", "too_large", "more than", id="many values"),
        pytest.param(b"%TAG !a! b\n" * 101 + b"--- a", "too_large", "more than 100 %TAG", id="tags"),
    ],
)  # fmt: skip
def test_yaml_that_cannot_be_read(data, reason, says):
    with pytest.raises(Unreadable) as error:
        parse("yaml", data)
    assert error.value.reason == reason
    assert says in error.value.found


def test_a_merge_adds_no_depth():
    chain = "a0: &a0 {k0: 1}\n" + "".join(
        f"a{n}: &a{n} {{<<: *a{n - 1}, k{n}: 1}}\n" for n in range(1, 200)
    )
    assert len(parse("yaml", chain.encode()).value["a199"]) == 200


def test_nothing_is_run(tmp_path):
    made = tmp_path / "made"
    for name in ("object/apply:os.system", "object/new:os.system", "object:os.system"):
        data = f"!!python/{name} ['touch {made}']\n".encode()
        with pytest.raises(Unreadable):
            parse("yaml", data)
    assert not made.exists()
