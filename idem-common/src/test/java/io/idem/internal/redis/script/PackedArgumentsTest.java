package io.idem.internal.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PackedArgumentsTest {

    private static final RecordId RECORD = new RecordId(IdempotencyKey.of("order-1"), new Scope("payments"));
    private static final long FENCE = 1_795_256_100_123_456L;

    private final OwnerToken owner = OwnerToken.random(new SecureRandom());
    private final Fingerprint fingerprint = Fingerprint.of(new byte[] {1});

    private AcquireRequest request(long floor) {
        return new AcquireRequest(RECORD, owner, Duration.ofSeconds(30), Duration.ofDays(1), fingerprint, floor, 0);
    }

    @Test
    void aFirstGrantIsTheRecordThatTheScriptWrote() {
        byte[] record = PackedArguments.firstGrant(PackedArguments.asked(request(FENCE - 1)), FENCE, 30_000);

        RecordSnapshot decoded = PackedRecord.decode(RECORD, record);
        assertThat(decoded.state()).isEqualTo(RecordState.PENDING);
        assertThat(decoded.attempts()).isEqualTo(1);
        assertThat(decoded.fence()).isEqualTo(FENCE);
        assertThat(decoded.at().toEpochMilli()).isEqualTo(1_795_256_130_123L);
        assertThat(PackedRecord.isPendingOf(owner, record)).isTrue();
        assertThat(decoded.fingerprint()).isEqualTo(fingerprint);
    }

    @Test
    void aFloorIsSentOnlyIfThereIsOne() {
        byte[] without = PackedArguments.asked(request(0));
        byte[] with = PackedArguments.asked(request(FENCE));

        assertThat(without).hasSize(28).startsWith(owner.toBytes()).endsWith(fingerprint.toBytes());
        assertThat(with).startsWith(without).hasSize(35);
        assertThat(HexFormat.of().formatHex(Arrays.copyOfRange(with, 28, 35))).isEqualTo("0660c6a220f340");
    }

    @Test
    void aGrantIsItsFenceAndItsOwnerAndThenTheResult() {
        Lease lease = new Lease(RECORD, owner, FENCE, 1, Duration.ofSeconds(30), Duration.ofDays(1));

        byte[] packed = PackedArguments.granted(lease, new byte[] {4, 5});

        assertThat(HexFormat.of().formatHex(packed))
                .isEqualTo("0660c6a220f340" + HexFormat.of().formatHex(owner.toBytes()) + "0405");
    }
}
