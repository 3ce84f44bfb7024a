"""The dice of a record as a guest's phone computes them, compared with those of `dudo-table verify`."""

import re
from typing import Any

from firmware_host.fairness.verify.checker import verify
from firmware_host.fairness.verify.parser import VerificationError, split_matches

CHECKED = """async (records) => {
    const { checkDice } = await import("/check/dice.js");
    const { hex } = await import("/hashes.js");
    return records.map((text) => {
        const { wrong, match, heads, deals, rounds, isProven, ...told } = checkDice(text);
        return {
            wrong: wrong && [wrong.line, wrong.kind, wrong.message],
            match: match,
            cut: told.cut,
            proven: isProven,
            closed: told.isClosed,
            notes: [told.undone, told.handedOver, told.reopened],
            heads: heads.map(([line, head]) => [line, hex(head)]),
            deals: deals.map(({ number, stage, given, hands }) => [
                number, stage, [...given].map(([player, { kind }]) => [player, kind]), hands,
            ]),
            rounds: rounds.map(([number, { hands }]) => [number, hands]),
        };
    });
}"""
"""What a page evaluates to check the dice of records."""
LEFT_TO_VERIFY = re.compile(
    # the rules: who may do what, how many dice are rolled, how a call ends, who wins
    r" may not .* in: | rolled \d+ dice, not |^seat \d has won|^the match is not over|^expected \d:wins$"
    r"|nothing back here"
    # how the score is written, of which the chain has the words alone
    r"|^(expected |')\S+ (in place of|once)|^'.*': expected |can’t be seen|an empty line|^expected '.*' in place of '"
    # a head that is missing or there twice, where the next one covers the same words
    r"|^expected the head after line|^expected what was said, of which this is the head"
)
"""The problems of a record whose dice are right all the same."""


def matches_of(records: list[str]) -> list[str]:
    """Return every match of the records as a record of its own: the table gives a phone one."""
    found = dict[str, None]()
    for text in records:
        try:
            *before, last = split_matches(text)
        except VerificationError:
            continue
        end = "\n" if text.endswith("\n") else ""
        found |= dict.fromkeys("\n".join(line.text for line in lines) + "\n" for lines in before)
        found["\n".join(line.text for line in last) + end] = None
    return list(found)


def difference(text: str, told: Any) -> Any:
    """Return how the phone's dice differ from those of `verify`, None if they don't."""
    if (told["cut"] or 0) > 1:  # the phone leaves out a whole last line, verify the word that was cut off
        text = text[: text.rindex("\n") + 1]
    (verdict,) = verify(text)
    heads = [[line, head.hex()] for line, head in verdict.heads]
    if verdict.wrong is None:
        expected = {
            "wrong": None,
            "match": verdict.match,
            "proven": verdict.is_proven,
            "closed": verdict.closed,
            "notes": [verdict.undone, verdict.handed_over, verdict.reopened],
            "heads": heads,
            "deals": [
                [
                    deal.number,
                    str(deal.stage),
                    [[player, line.kind] for player, line in deal.given.items()],
                    [*map(list, deal.shown)],
                ]
                for deal in verdict.deals
            ],
        }
        differs = {key: (value, told[key]) for key, value in expected.items() if value != told[key]}
        return differs or None
    line = verdict.wrong.line
    if heads and [each for each in heads if each[0] < line] != [each for each in told["heads"] if each[0] < line]:
        return "heads", verdict.wrong, told["wrong"]
    if told["wrong"] is None:
        return None if LEFT_TO_VERIFY.search(verdict.wrong.problem) else ("missed", verdict.wrong.problem)
    return ("too early", verdict.wrong, told["wrong"]) if told["wrong"][0] < line else None
