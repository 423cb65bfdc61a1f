"""The study of retention policies in virtual time: peaks, copies and counts, exact on any machine.

    model_test.py FANOUT_MODEL
"""
import json
import subprocess
import sys
import unittest

MIB = 1024 * 1024
MODEL = sys.argv.pop(1)

# Peak managed memory as the study published it, in MiB.
PUBLISHED = {
    "tags slow": {"borrow": 4.230, "copy": 0.304, "shared_copy": 0.297, "threshold2": 0.297,
                  "threshold8": 0.297, "compact": 4.231, "copy_no_pool": 0.241},
    "same body": {"borrow": 4.230, "copy": 4.296, "shared_copy": 2.262, "threshold2": 2.262,
                  "compact": 4.512},
    "mixed, 2 MiB": {"borrow": 2.000, "shared_copy": 1.047, "threshold2": 1.047,
                     "threshold8": 1.047, "compact": 2.000},
    "body slow": {"threshold8": 4.237, "threshold2": 2.268},
    "metadata": {"threshold2": 0.172, "threshold8": 0.172},
}
# Records of 56 + 32,768 selected bytes: what each policy copies, in bytes a record.
COPIED = {
    "tags slow": {"borrow": 0, "copy": 32768 + 2 * 56, "shared_copy": 32768 + 56,
                  "threshold2": 32768 + 56, "threshold8": 56, "compact": 56},
    "same body": {"borrow": 0, "copy": 3 * 32768, "shared_copy": 32768, "threshold2": 32768,
                  "compact": 32768},
}
# For `auto` on shipping blocks: peak and copies in MiB.
GOALS = {"tags slow": (0.12, 0.055), "same body": (2.10, 32.0), "mixed, 2 MiB": (0.26, 0.1),
         "body slow": (2.10, None), "metadata": (0.08, None), "one slow": (0.12, None)}


def runs(*arguments):
    done = subprocess.run([MODEL, *arguments], capture_output=True, check=True, timeout=600)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {(line["condition"], line["policy"]): line for line in lines}


class Model(unittest.TestCase):
    def assert_sound(self, all_runs):
        for key, run in all_runs.items():
            with self.subTest(key):
                self.assertEqual(run["outstanding_bytes"], 0)
                self.assertLessEqual(run["peak_managed_bytes"], run["budget_bytes"])
                self.assertEqual(set(run["records"]), {run["records_in"]})

    def test_the_study_comes_out(self):
        study = runs("study-six")
        self.assertEqual(len(study), 6 * 8)
        self.assert_sound(study)
        for condition, policies in PUBLISHED.items():
            for policy, published in policies.items():
                with self.subTest(condition=condition, policy=policy):
                    peak = study[condition, policy]["peak_managed_bytes"] / MIB
                    self.assertLessEqual(abs(peak / published - 1), 0.01, peak)
        for condition, policies in COPIED.items():
            for policy, bytes_a_record in policies.items():
                with self.subTest(condition=condition, policy=policy):
                    self.assertEqual(study[condition, policy]["copied_bytes"],
                                     1024 * bytes_a_record)
        self.assertEqual(study["tags slow", "borrow"]["queue_max"], [1, 64, 64])
        self.assertEqual(study["metadata", "borrow"]["peak_parser"], 96 * 1024)
        self.assertEqual(study["mixed, 2 MiB", "borrow"]["peak_parser"], 512 * 1024)

    def test_auto_on_shipping_blocks(self):
        own = runs("six")
        self.assert_sound(own)
        for condition, (peak, copied) in GOALS.items():
            with self.subTest(condition):
                run = own[condition, "auto"]
                self.assertLessEqual(run["peak_managed_bytes"] / MIB, peak)
                if copied is not None:
                    self.assertLessEqual(run["copied_bytes"] / MIB, copied)

    def test_small_records(self):
        small = runs("small")
        self.assert_sound(small)
        self.assertLessEqual(small["small, 4096", "auto"]["peak_managed_bytes"] / MIB, 0.35)

    def test_drawn_conditions_deliver_everything_within_their_budgets(self):
        self.assert_sound(runs("drawn", "--count", "6"))
        self.assert_sound(runs("drawn", "--seed", "7", "--from", "500", "--count", "4"))

    def test_copies_that_take_all_memory_are_given_up_for_queues(self):
        # Eight sinks, each with a copy of its own, under little more than four records.
        self.assert_sound(runs("drawn", "--seed", "9", "--from", "405", "--count", "1"))

    def test_the_same_seed_draws_the_same(self):
        once, again = (runs("drawn", "--from", "3", "--count", "1") for _ in range(2))
        self.assertEqual(once, again)


unittest.main()
