"""Each kind of bad input has a message of its own and the right exit code."""

import io
import json
import os
import shutil
import subprocess
import tarfile
import unittest
import zipfile

from support import EXAMPLES, GRADER, PROJECT, Scratch, run

RIGHT = (EXAMPLES / "correct_einsum.py").read_text()
NOBODY = 65534


class BadSubmissions(Scratch, unittest.TestCase):
    def check(self, path, status, *texts, arguments=(), **options):
        """Runs `grade`; returns everything it said."""
        done = run("grade", path, *arguments, **options)
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, status, said)
        for text in texts:
            self.assertIn(text, said)
        return said

    def test_missing_path(self):
        path = self.folder / "nowhere.py"
        self.check(path, 2, str(path), "No such file")

    def test_empty_folder(self):
        self.check(self.folder, 4, "no submission")

    def test_folder_without_submissions(self):
        self.write("README.md", "hello")
        self.write("labels.jsonl", "{}")
        self.check(self.folder, 4, "no submission")

    def test_file_that_is_no_submission(self):
        said = self.check(self.write("notes.md", "hello"), 1, "NOT GRADED")
        self.assertIn(".py, .ipynb, .c, .cpp and .so files", " ".join(said.split()))

    def test_zero_byte_file(self):
        self.check(self.write("empty.py", ""), 1, "empty.py", "LOAD ERROR", "empty")

    def test_latin_1_file(self):
        source = "# caf\u00e9\n" + RIGHT
        path = self.write("latin.py", source.encode("latin-1"))
        self.check(path, 1, "latin.py", "LOAD ERROR", "utf-8")

    def test_latin_1_file_that_says_so(self):
        source = "# -*- coding: latin-1 -*-\n# caf\u00e9\n" + RIGHT
        self.check(self.write("latin.py", source.encode("latin-1")), 0)

    def test_syntax_error_names_the_line(self):
        path = self.write("broken.py", "def attention(q, k, v):\n    return (q\n")
        self.check(path, 1, "LOAD ERROR", "line 2", "never closed")

    def test_c_that_does_not_compile_shows_the_compilers_words(self):
        path = self.write("broken.c", "int attention(void) { return x; }\n")
        self.check(path, 1, "LOAD ERROR", "broken.c", "undeclared")

    def test_near_misses_are_listed(self):
        path = self.write("near.py", "def atention(q, k, v):\n    return q\n")
        self.check(path, 1, "atention", "attention", "--entry")

    def test_binary_rubbish(self):
        self.check(self.write("rubbish.py", bytes(range(256))), 1, "LOAD ERROR")
        self.check(self.write("rubbish.so", bytes(range(256))), 1, "LOAD ERROR")
        self.check(self.write("rubbish.c", bytes(range(256))), 1, "LOAD ERROR")

    def test_directory_named_like_a_file(self):
        (self.folder / "x.py").mkdir()
        self.check(self.folder / "x.py", 1, "x.py", "REJECTED", "directory")

    def test_directory_named_like_a_file_beside_a_good_one(self):
        (self.folder / "x.py").mkdir()
        self.write("good.py", RIGHT)
        said = self.check(self.folder, 1, "x.py", "directory")
        self.assertRegex(said, r"correct +1\b")

    def test_names_of_any_bytes(self):
        name = os.fsdecode(b"caf\xe9 \n\x1b[31m;rm -rf.py")
        self.write(name, RIGHT)
        said = self.check(self.folder, 0)
        self.assertNotIn("\x1b", said)

    def test_dangling_and_circular_links(self):
        (self.folder / "dangling.py").symlink_to(self.folder / "gone.py")
        (self.folder / "circle.py").symlink_to(self.folder / "circle.py")
        self.write("good.py", RIGHT)
        said = self.check(self.folder, 1, "dangling.py", "circle.py", "link")
        self.assertRegex(said, r"correct +1\b")

    def test_named_pipe_does_not_block(self):
        os.mkfifo(self.folder / "pipe.py")
        done = run("grade", self.folder, timeout=60)
        self.assertIn(done.returncode, (1, 4), done.stderr)

    def test_unreadable_file(self):
        prefix = self.as_somebody_else() if os.geteuid() == 0 else []
        self.folder.chmod(0o755)
        path = self.write("secret.py", RIGHT)
        path.chmod(0)
        self.check(path, 1, "secret.py", "Permission denied", prefix=prefix)

    def test_unreadable_subfolder(self):
        prefix = self.as_somebody_else() if os.geteuid() == 0 else []
        self.folder.chmod(0o755)
        self.write("secret/notes.md", "hello")
        (self.folder / "secret").chmod(0)
        self.addCleanup((self.folder / "secret").chmod, 0o755)
        for arguments in ((), ("--recursive",)):
            self.check(self.folder, 1, "secret", "LOAD ERROR", "Permission denied",
                       prefix=prefix, arguments=arguments)

    def test_files_that_are_passed_over_are_counted(self):
        self.write("good.py", RIGHT)
        self.write("README.md", "hello")
        self.check(self.folder, 0, "1 file passed over: no submissions")

    def as_somebody_else(self):
        """Permissions do not bind root: run as nobody."""
        if not shutil.which("setpriv"):
            self.skipTest("root reads everything and there is no setpriv")
        prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        works = subprocess.run([*prefix, str(GRADER), "--version"], capture_output=True)
        if works.returncode != 0:
            self.skipTest("nobody cannot run the grader where it lies")
        return prefix


class BadFoldersAndArchives(Scratch, unittest.TestCase):
    """A submission of several files: what spoils it is named."""

    def check(self, path, status, *texts, options=()):
        done = run("grade", path, *options)
        said = " ".join((done.stdout + done.stderr).split())
        self.assertEqual(done.returncode, status, said)
        for text in texts:
            self.assertIn(text, said)
        return said

    def zip(self, *entries):
        path = self.folder / "ana.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in entries:
                archive.writestr(name, content)
        return path

    def tar(self, *members):
        path = self.folder / "ana.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            for name, kind, target in members:
                member = tarfile.TarInfo(name)
                member.type = kind
                member.linkname = target
                archive.addfile(member, io.BytesIO())
        return path

    def test_archive_that_leads_out_of_its_folder(self):
        path = self.zip(("a.py", RIGHT), ("../../evil.py", RIGHT))
        self.check(path, 1, "REJECTED", "../../evil.py", "leads out of the folder")
        self.assertFalse((self.folder.parent.parent / "evil.py").exists())

    def test_archive_with_links_and_devices(self):
        for kind, text in (
            (tarfile.SYMTYPE, "symbolic link"),
            (tarfile.LNKTYPE, "hard link"),
            (tarfile.CHRTYPE, "device"),
            (tarfile.FIFOTYPE, "named pipe"),
        ):
            with self.subTest(text):
                self.check(self.tar(("b.py", kind, "/etc/passwd")), 1,
                           "REJECTED", "b.py", text)

    def test_archive_in_an_archive(self):
        self.check(self.zip(("inner.zip", b"PK")), 1, "REJECTED", "inner.zip",
                   "an archive in the archive")

    def test_archive_bomb(self):
        zeros = bytes(60 << 20)
        path = self.zip(*((f"{i}.so", zeros) for i in range(4)))
        self.check(path, 1, "REJECTED", "1.so", "more than 64 MiB")

    def test_archive_that_calls_a_file_two_names(self):
        path = self.zip(("notes.txt", RIGHT))
        path.write_bytes(path.read_bytes().replace(b"notes.txt", b"aaaaaa.py", 1))
        self.check(path, 1, "REJECTED", "notes.txt", "aaaaaa.py",
                   "Make the archive anew")

    def test_archive_of_ten_thousand_files(self):
        path = self.zip(*((f"{i}.py", "") for i in range(10000)))
        self.check(path, 1, "REJECTED", "more than 1000 files")

    def test_archive_that_is_none_is_cut_off_or_empty(self):
        path = self.write("ana.zip", "hello")
        self.check(path, 1, "REJECTED", "Unrecognized archive format")
        whole = self.zip(("a.py", RIGHT)).read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        self.check(path, 1, "REJECTED", "cut off")
        self.check(self.zip(), 1, "LOAD ERROR", "Holds no file")
        path.write_bytes(b"")
        self.check(path, 1, "LOAD ERROR", "Empty file")

    def test_folder_with_a_link(self):
        (self.folder / "ana").mkdir()
        (self.folder / "ana" / "attention.py").symlink_to("/etc/passwd")
        self.check(self.folder, 1, "REJECTED", "attention.py", "symbolic link")

    def test_folder_as_one_without_a_file(self):
        self.write(".git/config", "")
        self.check(self.folder, 1, "LOAD ERROR", "Holds no file",
                   options=["--as-one"])

    def test_folder_with_a_large_file(self):
        self.write("ana/attention.py", RIGHT)
        self.write("ana/data.csv", bytes((8 << 20) + 1))
        self.check(self.folder / "ana", 1, "REJECTED", "data.csv",
                   "more than 8 MiB, the limit for a file. Leave it out",
                   options=["--as-one"])

    def test_folder_of_ten_thousand_files(self):
        for i in range(10000):
            self.write(f"ana/{i}.py", "")
        self.check(self.folder, 1, "REJECTED", "more than 1000 files")


class BadFixtures(Scratch, unittest.TestCase):
    """A broken task or case file stops the grader: file, line, expectation."""

    def check(self, change, *texts):
        fixtures = self.folder / "fixtures"
        shutil.copytree(PROJECT / "fixtures", fixtures)
        change(fixtures)
        example = EXAMPLES / "correct_einsum.py"
        done = run("grade", example, "--fixtures", fixtures)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        for text in texts:
            self.assertIn(text, done.stderr)

    def edit(self, pattern, change):
        """A change that rewrites the first file of a pattern."""
        def apply(fixtures):
            path = sorted(fixtures.glob(pattern))[0]
            path.write_text(change(path.read_text()))
        return apply

    def test_task_that_is_no_json(self):
        change = self.edit("tasks/attention.json", lambda text: text + "}")
        self.check(change, "attention.json", "line")

    def test_case_that_is_no_json(self):
        change = self.edit("cases/attention/*.json", lambda text: text[: len(text) // 2])
        self.check(change, ".json", "line")

    def test_task_of_the_wrong_type(self):
        def change(text):
            document = json.loads(text)
            document["ranks"] = "all"
            return json.dumps(document, indent=1)
        self.check(self.edit("tasks/attention.json", change), "attention.json", "ranks")

    def test_case_without_a_seed(self):
        def change(text):
            document = json.loads(text)
            del document["seed"]
            return json.dumps(document, indent=1)
        self.check(self.edit("cases/attention/*.json", change), "seed")

    def test_case_of_unreasonable_size(self):
        def change(text):
            document = json.loads(text)
            document["dimensions"]["n"] = 2**62
            return json.dumps(document, indent=1)
        self.check(self.edit("cases/attention/*.json", change), ".json")

    def with_rubric(self, rubric):
        def change(text):
            return json.dumps({**json.loads(text), "rubric": rubric}, indent=1)
        return self.edit("tasks/attention.json", change)

    def test_rubric_with_a_misspelt_fault(self):
        self.check(self.with_rubric({"scale-by-dq": 0.5}),
                   "attention.json", "line", "rubric.scale-by-dq", "scale-by-dk")

    def test_rubric_with_more_points_than_there_are(self):
        self.check(self.with_rubric({"scale-by-dk": 1.5}),
                   "attention.json", "line", "rubric.scale-by-dk", "from 0 to 1")

    def test_folder_without_tasks(self):
        self.check(lambda fixtures: shutil.rmtree(fixtures / "tasks"), "tasks")


if __name__ == "__main__":
    unittest.main()
