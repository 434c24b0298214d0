package io.idem.http.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.KeyRules;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyHeaderTest {

    /** With at least one character that is no space. */
    private static final Pattern RFC_9651_STRING =
            Pattern.compile("\"(?! *\")(?:[ !\\x23-\\x5b\\x5d-\\x7e]|\\\\[\"\\\\])+\"");

    private static final Pattern BARE = Pattern.compile("[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]+");

    @Test
    void aRequestWithoutTheHeaderHasNoKey() {
        assertThat(read()).isEqualTo(new KeyReading.Absent());
    }

    @Test
    void quotedAndBareSpellingAreTheSameKey() {
        assertThat(read("\"8e03978e-40d5\"")).isEqualTo(read("8e03978e-40d5"));
    }

    @Test
    void escapesOfAQuotedKeyAreResolved() {
        assertThat(read("\"a\\\"b\\\\c\"")).isEqualTo(KeyReading.Present.of("a\"b\\c"));
    }

    @Test
    void aQuotedKeyMayHoldWhatABareOneMayNot() {
        assertThat(read("\"a b,c;d\"")).isEqualTo(KeyReading.Present.of("a b,c;d"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"  key", "key  ", "\tkey\t", " \"key\" "})
    void spacesAroundTheValueDoNotCount(String line) {
        assertThat(read(line)).isEqualTo(KeyReading.Present.of("key"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "\"\"",
                "\"",
                "\"abc",
                "\"abc\\",
                "\"abc\\\"",
                "\"a\\nb\"",
                "\"a\\u0041\"",
                "\"abc\"d",
                "\"abc\";p=1",
                "\"abc\" \"def\"",
                "\"a\u007fb\"",
                "\"a\tb\"",
                "\"   \"",
                "\"a\u00e9b\"",
                "abc\"",
                "a b",
                "a,b",
                "a;b",
                "a\\b",
                "a\u0000b",
                "a\u001fb",
                "a\u007f",
                "\u00e9",
                "\ud83d\ude00"
            })
    void whatIsNoKeyIsMalformed(String line) {
        assertThat(read(line)).isInstanceOf(KeyReading.Malformed.class);
    }

    @Test
    void anOverlongKeyIsMalformed() {
        assertThat(read("k".repeat(255))).isInstanceOf(KeyReading.Present.class);
        assertThat(read("k".repeat(256))).isInstanceOf(KeyReading.Malformed.class);
    }

    @Test
    void theLengthCountsWithoutQuotesAndEscapes() {
        assertThat(read("\"" + "\\\"".repeat(255) + "\"")).isInstanceOf(KeyReading.Present.class);
    }

    @Test
    void theSameKeyTwiceIsOneKey() {
        assertThat(read("key", "\"key\"")).isEqualTo(KeyReading.Present.of("key"));
    }

    @Test
    void twoDifferentKeysAreMalformed() {
        assertThat(read("one", "two")).isInstanceOf(KeyReading.Malformed.class);
    }

    @Test
    void twoKeysFoldedIntoOneLineAreMalformed() {
        assertThat(read("one, two")).isInstanceOf(KeyReading.Malformed.class);
        assertThat(read("\"one\", \"two\"")).isInstanceOf(KeyReading.Malformed.class);
    }

    @ParameterizedTest
    @CsvSource({"8E03978E-40D5-43DD-BC93-6894A57F9324, true", "8e03978e40d543ddbc936894a57f9324, false", "abc, false"})
    void aRouteMayInsistOnUuids(String key, boolean accepted) {
        KeyReading reading = KeyHeader.read(List.of(key), new KeyRules(1, 255, KeyRules.Format.UUID));

        assertThat(reading instanceof KeyReading.Present).isEqualTo(accepted);
    }

    @Test
    void aRouteMayInsistOnALength() {
        KeyRules rules = new KeyRules(16, 255, KeyRules.Format.ANY);

        assertThat(KeyHeader.read(List.of("short"), rules)).isInstanceOf(KeyReading.Malformed.class);
    }

    @Test
    void complaintsDoNotRepeatWhatWasSent() {
        assertThat(read("\"sécret\"").toString()).doesNotContain("cret");
    }

    /** An independent grammar says what each line must be read as. */
    @Test
    void randomLinesAreReadAsTheGrammarSays() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String line = randomLine(random);
            assertThat(read(line) instanceof KeyReading.Present)
                    .as("seed %d, line %d: <%s>", seed, i, line)
                    .isEqualTo(valid(line));
        }
    }

    /** Strings as RFC 9651 section 4.1.6 serialises them, and the same with one character too few, too many or changed. */
    @Test
    void stringsOfRfc9651AreReadAsTheirValuesAndNothingElseIs() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String value = randomValue(random);
            String serialized = "\"" + value.replaceAll("[\"\\\\]", "\\\\$0") + "\"";
            assertThat(read(serialized)).as("seed %d, %s", seed, serialized).isEqualTo(KeyReading.Present.of(value));
            String damaged = damaged(random, serialized);
            assertThat(read(damaged)).as("seed %d, <%s>", seed, damaged).satisfies(reading -> {
                Matcher matcher = RFC_9651_STRING.matcher(trimmed(damaged));
                boolean string = matcher.matches() && trimmed(damaged).length() > 2;
                assertThat(reading instanceof KeyReading.Present)
                        .isEqualTo(string || BARE.matcher(trimmed(damaged)).matches());
                if (string) {
                    String inner =
                            trimmed(damaged).substring(1, trimmed(damaged).length() - 1);
                    assertThat(reading).isEqualTo(KeyReading.Present.of(inner.replaceAll("\\\\(.)", "$1")));
                }
            });
        }
    }

    /** Section 3.3.3 of RFC 9651: 0x20 to 0x7e and nothing else, and a backslash escapes two of them only. */
    @Test
    void everyCharacterOfAStringIsReadAsRfc9651Says() {
        for (char c = 0; c < 0x180; c++) {
            boolean plain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
            assertRead("\"k" + c + "k\"", plain, "k" + c + "k");
            assertRead("\"k\\" + c + "k\"", c == '"' || c == '\\', "k" + c + "k");
            assertRead("k" + c + "k", BARE.matcher("k" + c + "k").matches(), "k" + c + "k");
            assertRead("\"k\"" + c, c == ' ' || c == '\t', "k");
        }
    }

    /** Other types of structured fields are keys as they are spelled, where their characters are those of bare keys, and nothing else. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"42|true", "?1|true", "*token/x:y|true", ":YWJj:|true", "@1659578233|true", "(a b)|false"})
    void whatIsNoStringIsABareKeyOrNone(String line, boolean key) {
        assertRead(line, key, line);
    }

    private static void assertRead(String line, boolean readable, String key) {
        assertThat(read(line)).as("<%s>", line).satisfies(reading -> {
            assertThat(reading instanceof KeyReading.Present).isEqualTo(readable);
            if (readable) {
                assertThat(reading).isEqualTo(KeyReading.Present.of(key));
            }
        });
    }

    private static String trimmed(String line) {
        return line.replaceAll("^[ \t]+|[ \t]+$", "");
    }

    private static String randomValue(Random random) {
        StringBuilder value = new StringBuilder();
        for (int length = 1 + random.nextInt(12); length > 0; length--) {
            value.append(random.nextInt(3) == 0 ? "\"\\".charAt(random.nextInt(2)) : (char) (' ' + random.nextInt(95)));
        }
        return value.toString().isBlank() ? "x" : value.toString();
    }

    private static String damaged(Random random, String serialized) {
        int at = random.nextInt(serialized.length());
        char other = (char) random.nextInt(256);
        String start = serialized.substring(0, at);
        return switch (random.nextInt(3)) {
            case 0 -> start + serialized.substring(at + 1);
            case 1 -> start + other + serialized.substring(at);
            default -> start + other + serialized.substring(at + 1);
        };
    }

    private static boolean valid(String line) {
        String value = line.replaceAll("^[ \t]+|[ \t]+$", "");
        return RFC_9651_STRING.matcher(value).matches() || BARE.matcher(value).matches();
    }

    private static String randomLine(Random random) {
        String alphabet = "ab \t\"\"\\\\,;~!\u007f\u00e9\u0001";
        StringBuilder line = new StringBuilder(random.nextBoolean() ? "\"" : "");
        for (int length = random.nextInt(8); length > 0; length--) {
            line.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return line.append(random.nextBoolean() ? "\"" : "").toString();
    }

    private static KeyReading read(String... lines) {
        return KeyHeader.read(List.of(lines), KeyRules.DEFAULT);
    }

    @Test
    void aUuidIsOneKeyInUpperAndInLowerCase() {
        String upper = "8E03978E-40D5-43DD-BC93-6894A57F9324";

        assertThat(read(upper, "\"" + upper.toLowerCase(Locale.ROOT) + "\""))
                .isEqualTo(new KeyReading.Present(upper.toLowerCase(Locale.ROOT), upper));
        assertThat(read("ABC")).isEqualTo(new KeyReading.Present("ABC", "ABC"));
    }
}
