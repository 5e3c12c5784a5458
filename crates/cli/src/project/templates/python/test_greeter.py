"""`upcall test` runs it by unittest, so that nothing has to be installed; pytest runs it too."""

import unittest

from greeter import Greeter
from upcall.testing import Failed, Harness


class GreeterTest(unittest.TestCase):
    def setUp(self) -> None:
        self.harness = Harness(Greeter(), pools=["/greetings"])

    def test_a_name_is_greeted(self) -> None:
        self.harness.put("1", "Ada")
        self.assertEqual(self.harness.emitted, [("/greetings", b"1", b"Hello, Ada!")])

    def test_a_blank_line_fails(self) -> None:
        with self.assertRaises(Failed) as failed:
            self.harness.put("1", " ")
        self.assertEqual(failed.exception.message, "nobody is named")
        self.assertEqual(self.harness.emitted, [])
