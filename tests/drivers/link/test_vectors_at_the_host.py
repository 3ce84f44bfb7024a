"""The conversation in the link's test vectors from the host's side: the same driver says the same again."""

import json
from pathlib import Path

from support.link.conversation import conversation

from hardware.link import messages as link

VECTORS = json.loads(Path(link.__file__).with_name("vectors.json").read_text(encoding="utf-8"))


def test_the_host_and_the_program_talk_as_the_vectors_say() -> None:
    assert conversation() == VECTORS["conversation"]
