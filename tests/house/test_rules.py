# SPDX-License-Identifier: MIT
"""Shows each rule a small tree that breaks it and one that does not."""

import tempfile
import unittest
from pathlib import Path

import rules

HEAD = "// SPDX-License-Identifier: MIT\n// The unit that does one thing.\n"


class RulesTest(unittest.TestCase):
    def messages(self, rule, **files):
        """What a rule says of a tree made of these files (sim__isa__a = text of sim/isa/a.cpp)."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in files.items():
                path = root / (name.replace("__", "/") + ".cpp")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return [message for _, _, message in rules.RULES[rule](root)]

    def test_an_include_goes_down_only(self):
        self.assertEqual([], self.messages("include_order", sim__isa__a='#include "core/b.hpp"'))
        self.assertEqual(1, len(self.messages("include_order", sim__core__a='#include "isa/b.hpp"')))

    def test_folders_of_one_rank_do_not_see_each_other(self):
        self.assertEqual(1, len(self.messages("include_order",
                                              sim__operand__a='#include "execute/b.hpp"')))

    def test_an_include_names_its_folder(self):
        self.assertEqual(1, len(self.messages("include_order", sim__isa__a='#include "b.hpp"')))
        self.assertEqual(1, len(self.messages("include_order", sim__isa__a='#include "../b.hpp"')))

    def test_nothing_below_report_includes_report(self):
        text = '#include "smsim/report.hpp"'
        self.assertEqual(1, len(self.messages("include_order", sim__block__a=text)))
        self.assertEqual([], self.messages("include_order", sim__cli__a=text))

    def test_a_folder_without_a_place_in_the_order_is_a_breach(self):
        self.assertEqual(1, len(self.messages("include_order", sim__attic__a=HEAD)))

    def test_a_public_header_hides_the_packages(self):
        name = "sim__include__smsim__a"
        self.assertEqual([], self.messages("public_headers", **{name: "#include <vector>"}))
        self.assertEqual(1, len(self.messages("public_headers",
                                              **{name: "#include <yaml-cpp/yaml.h>"})))

    def test_a_file_of_501_lines_is_too_long(self):
        self.assertEqual([], self.messages("file_length", sim__isa__a="\n" * 500))
        self.assertEqual(1, len(self.messages("file_length", sim__isa__a="\n" * 501)))

    def test_a_function_of_61_lines_is_too_long(self):
        def function(lines):
            return "int f() {\n" + "  g();\n" * (lines - 2) + "}\n"
        self.assertEqual([], self.messages("function_length", sim__isa__a=function(60)))
        self.assertEqual(1, len(self.messages("function_length", sim__isa__a=function(61))))

    def test_a_file_opens_with_licence_and_sentence(self):
        self.assertEqual([], self.messages("opening", sim__isa__a=HEAD + "int a;\n"))
        self.assertEqual(1, len(self.messages("opening", sim__isa__a="int a;\n")))
        bare = "// SPDX-License-Identifier: MIT\n#pragma once\n"
        self.assertEqual(1, len(self.messages("opening", sim__isa__a=bare)))


if __name__ == "__main__":
    unittest.main()
