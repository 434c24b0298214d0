package io.idem.internal.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScriptTest {

    private static final Path LUA = Path.of("..", "lua");
    private static final Pattern ARGUMENT = Pattern.compile("^--   \\d+  ", Pattern.MULTILINE);
    private static final Pattern NAMED_ARGUMENT =
            Pattern.compile("(?m)^  local \\w+ = (?:tonumber\\()?ARGV\\[at_argument \\+ (\\d)]\\)?$");

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(LUA)) {
            return files.filter(file -> file.toString().endsWith(".lua"))
                    .sorted()
                    .toList();
        }
    }

    private static String nameOf(Path file) {
        return file.getFileName().toString().replace(".lua", "");
    }

    @Test
    void everyFileIsLoadedAndNothingElse() throws IOException {
        assertThat(Script.values())
                .extracting(script -> script.name().toLowerCase(Locale.ROOT))
                .containsExactlyInAnyOrderElementsOf(
                        files().stream().map(ScriptTest::nameOf).toList());
    }

    @Test
    void aScriptThatIsNotInTheJarIsNamed() {
        assertThatThrownBy(() -> Script.read("release"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("META-INF/idem/lua/release.lua");
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyFileOpensWithPurposeKeysArgumentsRepliesAndInvariant(Path file) throws IOException {
        assertThat(Files.readString(file))
                .containsPattern("\\A#!lua( flags=allow-oom)?\n-- "
                        + nameOf(file).toUpperCase(Locale.ROOT) + ": .+\n--\n-- KEYS\n--   \\*  .+\n"
                        + "(-- ARGV, for all records\n(--   .+\n)+)?"
                        + "-- ARGV, for each record in turn\n(--   .+\n)+"
                        + "(-- Replies, for all records\n(--   .+\n)+)?"
                        + "-- Replies, for each record in turn(, if it is not so)?\n(--   .+\n)+"
                        + "-- Invariant\n(--   .+\n)+(-- Cost\n(--   .+\n)+)?\n");
    }

    /** Scripts of usual work: one packed argument for each record, after those that all records share. */
    static List<Path> packed() throws IOException {
        return files().stream()
                .filter(file ->
                        List.of("acquire", "complete", "remember", "recall").contains(nameOf(file)))
                .toList();
    }

    static List<Path> unpacked() throws IOException {
        List<Path> files = new ArrayList<>(files());
        files.removeAll(packed());
        return files;
    }

    @ParameterizedTest
    @MethodSource("packed")
    void everySharedArgumentIsReadAndTheOwnOneFollowsThem(Path file) throws IOException {
        String text = Files.readString(file);
        String header = text.substring(0, text.indexOf("-- Replies"));
        String code = text.substring(text.indexOf("\nlocal "));

        int shared = (int) ARGUMENT.matcher(header.substring(0, header.indexOf("-- ARGV, for each")))
                .results()
                .count();
        assertThat(ARGUMENT.matcher(header).results()).hasSize(shared + 1);
        assertThat(code).contains("ARGV[" + shared + " + i]");
        for (int number = 1; number <= shared; number++) {
            assertThat(code).containsPattern("local \\w+ = (tonumber\\()?ARGV\\[" + number + "]");
        }
    }

    @ParameterizedTest
    @MethodSource("unpacked")
    void everyArgumentInTheHeaderIsCountedAndNamedInTheCode(Path file) throws IOException {
        String text = Files.readString(file);
        String header = text.substring(0, text.indexOf("-- Replies"));
        String code = text.substring(text.indexOf("\nlocal "));

        long documented = ARGUMENT.matcher(header).results().count();
        assertThat(code).contains("\nlocal ARGUMENTS = " + documented + "\n");
        assertThat(NAMED_ARGUMENT.matcher(code).results().map(match -> match.group(1)))
                .as("locals that name them")
                .isEqualTo(LongStream.rangeClosed(1, documented)
                        .mapToObj(Long::toString)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("files")
    void settlesRunWhenRedisIsOutOfMemoryAndAcquiresDoNot(Path file) throws IOException {
        boolean settles = List.of("renew", "complete", "fail", "reject", "erase", "remember", "recall", "withdraw")
                .contains(nameOf(file));

        assertThat(Files.readString(file).startsWith("#!lua flags=allow-oom\n")).isEqualTo(settles);
    }
}
