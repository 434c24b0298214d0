package io.idem.internal.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.internal.Frame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PackedRecordTest {

    private static final RecordId ID = new RecordId(IdempotencyKey.of("k"), new Scope("payments"));
    private static final String HEADER = "00010660c6a220f34001a1fd9a9a4b";
    private static final String FINGERPRINT = "000102030405060708090a0b0c0d0e0f";

    private static RecordSnapshot decode(String hex) {
        return PackedRecord.decode(ID, HexFormat.of().parseHex(hex));
    }

    @Test
    void theExampleInTheDocumentationSaysWhatItClaims() throws IOException {
        Matcher example = Pattern.compile("(?m)^11 [0-9a-f ]+$")
                .matcher(Files.readString(Path.of("..", "docs", "storage-format.md")));
        assertThat(example.find()).isTrue();

        byte[] bytes = HexFormat.of().parseHex(example.group().replace(" ", ""));
        assertThat(PackedRecord.decode(ID, bytes))
                .isEqualTo(new RecordSnapshot(
                        ID.scope(),
                        RecordState.PENDING,
                        1,
                        1_795_256_100_123_456L,
                        Fingerprint.NONE,
                        Instant.parse("2026-11-21T10:15:30.123Z"),
                        StoredResult.NONE,
                        ""));
        assertThat(PackedRecord.isPendingOf(
                        OwnerToken.ofBytes(HexFormat.of().parseHex("3f1c9a0be7d2445566778899")), bytes))
                .isTrue();
        assertThat(PackedRecord.isPendingOf(OwnerToken.random(new SecureRandom()), bytes))
                .isFalse();
    }

    @Test
    void aCompletedRecordHasItsResult() {
        RecordSnapshot record = decode("12" + HEADER + FINGERPRINT + "04" + "6a736f6e" + "7b7d");

        assertThat(record.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(record.fingerprint()).isEqualTo(Fingerprint.parse(FINGERPRINT));
        assertThat(record.result()).isEqualTo(StoredResult.of("json", "{}".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aCompletedRecordWithoutResultHasNone() {
        assertThat(decode("12" + HEADER + FINGERPRINT).result()).isEqualTo(StoredResult.NONE);
        assertThat(Frame.of(StoredResult.NONE)).isEmpty();
    }

    @Test
    void anEmptyResultOfACodecIsNotTheSameAsNone() {
        StoredResult empty = StoredResult.of("json", new byte[0]);

        assertThat(Frame.of(empty)).isEqualTo(HexFormat.of().parseHex("046a736f6e"));
        assertThat(decode("12" + HEADER + FINGERPRINT + "046a736f6e").result()).isEqualTo(empty);
    }

    @Test
    void aRejectedRecordHasItsReason() {
        RecordSnapshot record = decode("14" + HEADER + FINGERPRINT + "c3a9");

        assertThat(record.state()).isEqualTo(RecordState.REJECTED);
        assertThat(record.reason()).isEqualTo("é");
    }

    @ParameterizedTest
    @CsvSource({
        "nothing, ''",
        "text, 68656c6c6f",
        "a newer version, 2100010660c6a220f34001a1fd9a9a4b3f1c9a0be7d244556677889900000000000000000000000000000000",
        "a state unknown, 1500010660c6a220f34001a1fd9a9a4b3f1c9a0be7d244556677889900000000000000000000000000000000",
        "pending too short, 1100010660c6a220f34001a1fd9a9a4b3f1c9a0be7d2445566778899000000000000000000000000000000",
        "pending too long, 1100010660c6a220f34001a1fd9a9a4b3f1c9a0be7d24455667788990000000000000000000000000000000000",
        "completed cut off, 1200010660c6a220f34001a1fd9a9a4b000102030405060708090a0b0c0d0e",
        "codec name cut off, 1200010660c6a220f34001a1fd9a9a4b000102030405060708090a0b0c0d0e0f056a736f6e",
        "no codec name, 1200010660c6a220f34001a1fd9a9a4b000102030405060708090a0b0c0d0e0f007b7d",
    })
    void whatIsNoRecordIsNamedAndNotGuessed(String what, String hex) {
        assertThatThrownBy(() -> decode(hex))
                .as(what)
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessageContaining(ID.toString());
    }
}
