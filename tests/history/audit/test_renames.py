"""Which keys were probably renamed, and which only came and went together."""

from __future__ import annotations

import pytest

from tests.history.audit.audits import audit_of, csv, told

PARTS = """
[table]
entry = "model"
score = "score"
direction = "higher"
[table.parts]
a = "a"
b = "b"
"""
HEADER = "model,score,a,b"
STAY = ("ash,81.5,70,60", "bay,74.2,61,55", "cob,66.9,50,51")


def renames(tmp_path, before: list[str], after: list[str], parts: bool = True) -> list[str]:
    """What is said of a commit that replaced some rows, STAY standing above them."""
    header = HEADER if parts else "model,score"
    stay = STAY if parts else [",".join(row.split(",")[:2]) for row in STAY]
    files = [csv(*stay, *rows, header=header) for rows in (before, after)]
    found = audit_of(tmp_path, *files, **({"table": PARTS} if parts else {}))
    return [text for _, kind, _, text in told(found) if kind == "rename"]


@pytest.mark.parametrize(
    ("before", "after", "parts", "expected"),
    [
        pytest.param(
            ["o3,79.6,65.5,58"],
            ["elm,50,51,52", "o3 (high),79.6,65.5,58"],
            True,
            [
                "'o3' left and 'o3 (high)' joined at commit 00000001 with the same score 79.6 and "
                '2 of 2 same parts: alias? [aliases] "o3" = "o3 (high)"'
            ],
            id="the same row under another name",
        ),
        pytest.param(
            ["hen,79.6,65.5,58"],
            ["qrx 9,79.6,65.5,58"],
            True,
            [
                "'hen' left and 'qrx 9' joined at commit 00000001 with the same score 79.6, 2 of 2 "
                'same parts and at the same place in the file: alias? [aliases] "hen" = "qrx 9"'
            ],
            id="numbers that nobody else has need no like name",
        ),
        pytest.param(
            ["hen-1.5,79.6,65.5,58"],
            ["hen-1.5 (whole),79.9,65.5,58"],
            True,
            [
                "'hen-1.5' left and 'hen-1.5 (whole)' joined at commit 00000001 with the score 79.9 "
                "after 79.6, 2 of 2 same parts and at the same place in the file: alias? [aliases] "
                '"hen-1.5" = "hen-1.5 (whole)"'
            ],
            id="nearly the same row with a like name",
        ),
        pytest.param(
            ["hen-1.5,79.6,65.5,58"],
            ["hen-2.5,82.1,67.5,61"],
            True,
            [],
            id="a new model of the same family is another row",
        ),
        pytest.param(
            ["hen,0,0,0"], ["owl,0,0,0"], True, [], id="zeros say nothing of who somebody is"
        ),
        pytest.param(
            ["hen,81.5,70,60"],
            ["owl,81.5,70,60"],
            True,
            [],
            id="numbers that another row has, too, and unlike names",
        ),
        pytest.param(
            ["GPT3.5,3.5"],
            ["GPT 3.5 Turbo,3.5"],
            False,
            [
                "'GPT3.5' left and 'GPT 3.5 Turbo' joined at commit 00000001 with the same score "
                '3.5 and at the same place in the file: alias? [aliases] "GPT3.5" = "GPT 3.5 Turbo"'
            ],
            id="a score alone with a like name",
        ),
        pytest.param(
            ["Llama 2 13B,5.9", "owl,4"],
            ["hen,4.4", "Llama-2-70B-Chat,5.9"],
            False,
            [],
            id="a score alone with other digits in the name",
        ),
        pytest.param(
            ['"say ""hi""",79.6'],
            ["say hi,79.6"],
            False,
            [
                "'say \"hi\"' left and 'say hi' joined at commit 00000001 with the same score 79.6 "
                'and at the same place in the file: alias? [aliases] "say \\"hi\\"" = "say hi"'
            ],
            id="the line for the definition is TOML",
        ),
        pytest.param(
            ["hen,79.6,65.5,58"],
            ["hen low,79.6,65.5,58", "hen max,79.6,65.5,58"],
            True,
            [
                "'hen' left and 'hen low' joined at commit 00000001 with the same score 79.6, 2 of 2 "
                "same parts and at the same place in the file, which fits 'hen max' as well: which "
                "is it?"
            ],
            id="two that fit are not decided",
        ),
        pytest.param(
            ["hen,79.6,65.5,58", "owl,69.6,55.5,48"],
            ["owl 2,69.6,55.5,48", "hen 2,79.6,65.5,58"],
            True,
            [
                "'hen' left and 'hen 2' joined at commit 00000001 with the same score 79.6 and 2 of "
                '2 same parts: alias? [aliases] "hen" = "hen 2"',
                "'owl' left and 'owl 2' joined at commit 00000001 with the same score 69.6 and 2 of "
                '2 same parts: alias? [aliases] "owl" = "owl 2"',
            ],
            id="each key once",
        ),
        pytest.param(
            ["hen,79.6,65.5,58", "hen,69.6,55.5,48"],
            ["hen,79.6,65.5,58", "hen (low),69.6,55.5,48"],
            True,
            [
                "'hen#2' left and 'hen (low)' joined at commit 00000001 with the same score 69.6, 2 "
                "of 2 same parts and at the same place in the file; one key stood in several rows, "
                "and no alias can name one of them"
            ],
            id="one of two rows with one key got its own",
        ),
    ],
)
def test_renames(before, after, parts, expected, tmp_path):
    assert renames(tmp_path, before, after, parts) == expected


def test_an_alias_of_the_definition_ends_the_suggestion(tmp_path):
    files = [csv(*STAY, "o3,79.6,65,58", header=HEADER), csv(*STAY, "o4,79.6,65,58", header=HEADER)]
    aliased = f'{PARTS}\n[aliases]\n"o3" = "o4"\n'
    assert told(audit_of(tmp_path, *files, table=aliased)) == []


def test_a_board_that_names_all_its_entries_in_another_way(tmp_path):
    files = [csv(*(f"m{n}{way},{10 + n / 10}" for n in range(61))) for way in ("", "-v2")]
    found = [one for one in told(audit_of(tmp_path, *files)) if one[1] == "rename"]
    best = (
        "'m60' left and 'm60-v2' joined at commit 00000001 with the same score 16.0 and at the "
        'same place in the file: alias? [aliases] "m60" = "m60-v2"'
    )
    more = "51 more keys joined with numbers of keys that left: other names for all?"
    assert len(found) == 11
    assert {best, more} < {text for _, _, _, text in found}


def test_sixty_renames_in_one_commit_are_told_one_by_one(tmp_path):
    files = [csv(*(f"m{n}{way},{10 + n / 10}" for n in range(60))) for way in ("", "-v2")]
    assert sum(one[1] == "rename" for one in told(audit_of(tmp_path, *files))) == 60


def test_two_keys_that_are_listed_together_later_are_two_entries(tmp_path):
    numbers = "79.6,65.5,58"
    later = [[f"hen,{numbers}"], [f"owl,{numbers}"], [f"owl,{numbers}", "hen,1,2,3"]]
    files = [csv(*STAY, *rows, header=HEADER) for rows in later]
    found = [
        text
        for _, kind, _, text in told(audit_of(tmp_path, *files, table=PARTS))
        if kind == "rename"
    ]
    assert len(found) == 1
    assert found[0].endswith("place in the file; no alias, as both are listed in 00000002")
