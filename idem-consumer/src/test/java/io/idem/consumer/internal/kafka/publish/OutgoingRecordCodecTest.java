package io.idem.consumer.internal.kafka.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.Test;

class OutgoingRecordCodecTest {

    private static final List<Header> HEADERS = List.of(
            new RecordHeader("a", new byte[] {1}),
            new RecordHeader("a", new byte[] {2}),
            new RecordHeader("null", (byte[]) null));

    @Test
    void aRecordComesBackAsItWas() {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>("платежи", 3, 1_700_000_000_000L, new byte[] {7}, new byte[] {8, 9}, HEADERS);

        assertSame(OutgoingRecordCodec.decode(OutgoingRecordCodec.encode(record)), record);
    }

    @Test
    void aTombstoneForAnyPartitionComesBackAsItWas() {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>("t", null, null, null, null, List.of());

        assertSame(OutgoingRecordCodec.decode(OutgoingRecordCodec.encode(record)), record);
    }

    private static void assertSame(ProducerRecord<byte[], byte[]> actual, ProducerRecord<byte[], byte[]> expected) {
        assertThat(actual.topic()).isEqualTo(expected.topic());
        assertThat(actual.partition()).isEqualTo(expected.partition());
        assertThat(actual.timestamp()).isEqualTo(expected.timestamp());
        assertThat(actual.key()).isEqualTo(expected.key());
        assertThat(actual.value()).isEqualTo(expected.value());
        assertThat(actual.headers().toArray()).isEqualTo(expected.headers().toArray());
    }

    @Test
    void theFormatOfVersion1StaysAsItIs() {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>("t", 1, 2L, null, new byte[] {(byte) 0xff}, List.of(HEADERS.get(0)));

        assertThat(HexFormat.of().formatHex(OutgoingRecordCodec.encode(record)))
                .isEqualTo("01" + "0000000174" + "00000001" + "0000000000000002" + "ffffffff" + "00000001ff"
                        + "00000001" + "0000000161" + "0000000101");
    }

    @Test
    void aNewerVersionIsNotGuessedAt() {
        assertThatThrownBy(() -> OutgoingRecordCodec.decode(new byte[] {2})).hasMessageContaining("version 2");
    }

    @Test
    void aRecordThatIsCutAnywhereIsRefused() {
        byte[] whole =
                OutgoingRecordCodec.encode(new ProducerRecord<>("t", 1, 2L, new byte[] {1}, new byte[] {2}, HEADERS));

        for (int length = 1; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> OutgoingRecordCodec.decode(cut)).hasMessageContaining("cut short");
        }
    }
}
