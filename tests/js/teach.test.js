/** The file that the lesson editor writes. Whether the server reads it is tested in a browser. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { another, begun, fileOf, lessonOf, tomlText } from "#js/teach/draft.js";

test("texts are written so that they are read as they are", () => {
  assert.equal(tomlText('a "b" \\ c'), '"a \\"b\\" \\\\ c"');
  assert.equal(tomlText("one\r\ntwo"), '"""\none\ntwo"""');
  assert.equal(tomlText('"""\n"""'), '"""\n\\"\\"\\"\n\\"\\"\\""""');
  assert.equal(tomlText("\u0000\u007f\t"), '"\\u0000\\u007f\\t"');
  assert.equal(tomlText("\ud800x駒𠀋"), '"\ufffdx駒𠀋"');
});

test("a lesson that was read is written with the same contents", () => {
  const found = {
    game: "nana",
    about: "A",
    chapters: [
      {
        title: "One",
        stages: [
          { id: "a", title: "T", text: "x\ny", find: "mate no-drop", rules: ["1"], teaches: ["R"], drills: ["B"] },
          { id: "b", title: "T", text: "x", find: [], lines: ["1a1b 2a2b 1b1c"], hint: "h", right: "r" },
          { id: "c", title: "T", text: "x", reach: ["1a"], piece: "2b", moves: 2, solution: ["2b2a", "2a1a"] },
        ],
      },
      {
        title: "Two",
        stages: [
          { id: "d", title: "T", text: "x", take: ["1a"], moves: 3, wrong: [{ says: "s", mistake: "late" }] },
          { id: "e", title: "T", text: "x", avoid: ["1a1b"], wrong: [{ says: "s", moves: ["1a1b"], reply: "1c1b" }] },
          {
            id: "f",
            title: "T",
            text: "x",
            choices: [
              { text: "a", says: "b", right: true },
              { text: "c", says: "d" },
            ],
          },
          { id: "g", title: "T", text: "x", play: { level: 2, plies: 40 } },
        ],
      },
    ],
    not_taught: { 14: "an option" },
  };
  const text = fileOf(lessonOf(found, "Lesson"));
  for (const line of [
    'game = "nana"',
    '[not_taught]\n"14" = "an option"',
    'find = "mate no-drop"',
    'find = []\nlines = ["1a1b 2a2b 1b1c"]',
    'reach = ["1a"]\npiece = "2b"\nmoves = 2\nsolution = ["2b2a", "2a1a"]',
    'take = ["1a"]\nmoves = 3',
    'avoid = ["1a1b"]',
    'moves = ["1a1b"]\nsays = "s"\nreply = "1c1b"',
    '[[chapters.stages.choices]]\ntext = "a"\nsays = "b"\nright = true',
    "play = { level = 2, plies = 40 }",
    'teaches = ["R"]\nrules = ["1"]\ndrills = ["B"]\ntext = """\nx\ny"""',
  ])
    assert.ok(text.includes(line), `${line}\nis not in\n${text}`);
  assert.equal(text.match(/\[\[chapters\]\]/g)?.length, 2);
});

test("a variant file stands in a lesson as it is, or escaped where it must be", () => {
  const file = '# it\nid = "x"\n';
  assert.ok(fileOf(begun({ file }, "L")).startsWith(`variant = '''\n${file}'''\n`));
  assert.ok(fileOf(begun({ file: "a = '''b'''" }, "L")).startsWith(`variant = "a = '''b'''"\n`));
  assert.ok(fileOf(begun({ file: "a\u0001\nb'" }, "L")).startsWith('variant = """\na\\u0001\nb\'"""\n'));
});

test("every stage has an id of its own, and a lesson always has a stage", () => {
  const lesson = begun({ game: "nana" }, "L");
  lesson.stages.push(another(lesson, "p"));
  lesson.stages.splice(0, 1);
  lesson.stages.push(another(lesson, ""));
  assert.deepEqual(
    lesson.stages.map(({ id, position }) => [id, position]),
    [
      ["stage-2", "p"],
      ["stage-1", ""],
    ],
  );
  assert.equal(lessonOf({ game: "nana", chapters: [] }, "L").stages.length, 1);
});
