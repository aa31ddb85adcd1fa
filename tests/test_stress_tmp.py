import pytest, random
import tests.test_kill as k
from tests.test_kill import run_kills
k.WEIGHTS.update({"crawl":1,"repair":6,"rebuild":0})
@pytest.mark.timeout(2000)
@pytest.mark.parametrize("seed", range(1000,1004))
def test_it(tmp_path, monkeypatch, seed):
    orig = random.Random.choice
    monkeypatch.setattr(random.Random, "choice", lambda self, seq: "alone" if tuple(seq)==("alone","group","all") else orig(self, seq))
    run_kills(tmp_path, monkeypatch, 25, seed, rewrite_every=7, verify_every=1)
