package io.idem.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.OutgoingMessage;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutgoingCodecTest {

    private static final List<OutgoingMessage> MESSAGES = List.of(
            new OutgoingMessage("kafka", "receipts", new byte[] {1, 2}),
            new OutgoingMessage("rabbit", "exchange/ключ", new byte[0]));

    @Test
    void noMessagesTakeNoSpace() {
        assertThat(OutgoingCodec.encode(List.of())).isEmpty();
        assertThat(OutgoingCodec.decode(new byte[0])).isEmpty();
    }

    @Test
    void messagesComeBackInTheirOrder() {
        assertThat(OutgoingCodec.decode(OutgoingCodec.encode(MESSAGES))).isEqualTo(MESSAGES);
    }

    @Test
    void theFormatOfVersion1StaysAsItIs() {
        byte[] column = OutgoingCodec.encode(List.of(new OutgoingMessage("k", "to", new byte[] {(byte) 0xff})));

        assertThat(HexFormat.of().formatHex(column))
                .isEqualTo("01" + "00000001" + "000000016b" + "00000002746f" + "00000001ff");
    }

    @Test
    void aNewerVersionIsNotGuessedAt() {
        byte[] column = OutgoingCodec.encode(MESSAGES);
        column[0] = 2;

        assertThatThrownBy(() -> OutgoingCodec.decode(column)).hasMessageContaining("version 2");
    }

    @Test
    void aColumnThatIsCutAnywhereIsRefused() {
        byte[] column = OutgoingCodec.encode(MESSAGES);

        for (int length = 1; length < column.length; length++) {
            byte[] cut = Arrays.copyOf(column, length);
            assertThatThrownBy(() -> OutgoingCodec.decode(cut)).hasMessageContaining("cut short");
        }
    }
}
