package io.idem.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idem.ResultCodecException;
import io.idem.StoredResult;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoredResponseCodecTest {

    private static final List<Header> HEADERS =
            List.of(new Header("Content-Type", "application/json"), new Header("X", "1"), new Header("X", "zwölf"));

    @Test
    void anAnswerComesBackAsItWas() {
        StoredResponse response = StoredResponse.of(201, HEADERS, new byte[] {0, 1, -1, 13, 10});

        assertThat(StoredResponseCodec.decode(StoredResponseCodec.encode(response)))
                .isEqualTo(response);
    }

    @Test
    void anOmittedBodyIsNotAnEmptyOne() {
        StoredResponse omitted = StoredResponse.withoutBody(200, HEADERS);

        StoredResponse decoded = StoredResponseCodec.decode(StoredResponseCodec.encode(omitted));

        assertThat(decoded).isEqualTo(omitted).isNotEqualTo(StoredResponse.of(200, HEADERS, new byte[0]));
    }

    @Test
    void aRedirectOfTheContainerIsToldFromALocation() {
        List<Header> location = List.of(new Header("Location", "/x"));
        StoredResponse plain = StoredResponse.of(302, location, new byte[0]);

        StoredResponse decoded = StoredResponseCodec.decode(StoredResponseCodec.encode(plain.redirecting()));

        assertThat(decoded).isEqualTo(plain.redirecting()).isNotEqualTo(plain);
        assertThat(StoredResponseCodec.decode(StoredResponseCodec.encode(plain)))
                .isEqualTo(plain);
    }

    @Test
    void theResultOfAnotherCodecIsRefused() {
        assertThatExceptionOfType(ResultCodecException.class)
                .isThrownBy(() -> StoredResponseCodec.decode(StoredResult.of("json.1", new byte[] {'1'})));
        assertThatExceptionOfType(ResultCodecException.class)
                .isThrownBy(() -> StoredResponseCodec.decode(StoredResult.NONE));
    }

    @Test
    void aCutResultIsRefusedWhereverItIsCut() {
        byte[] whole = StoredResponseCodec.encode(StoredResponse.of(201, HEADERS, new byte[0]))
                .content();
        for (int length = 0; length < whole.length; length++) {
            StoredResult cut = StoredResult.of(StoredResponseCodec.NAME, Arrays.copyOf(whole, length));
            assertThatExceptionOfType(ResultCodecException.class)
                    .as("cut to %d bytes", length)
                    .isThrownBy(() -> StoredResponseCodec.decode(cut));
        }
    }
}
