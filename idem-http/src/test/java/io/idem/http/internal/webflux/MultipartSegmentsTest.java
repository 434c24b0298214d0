package io.idem.http.internal.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MultipartSegmentsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "form-data; name=\"amount\"",
                "form-data; name=\"_CSRF\"",
                "form-data; name=\"file\"; filename=\"a; name=_csrf\"",
                "form-data; name=\"file\"; filename=\"a; name=_csrf; b\"",
                "attachment"
            })
    void everyPartButTheTokenCounts(String disposition) {
        assertThat(counted(disposition, "100")).isNotEqualTo(counted(disposition, "9999"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"form-data; name=\"_csrf\"", "form-data;name=_csrf", "form-data; filename=\"x\"; name=\"_csrf\""
            })
    void theTokenDoesNotCount(String disposition) {
        assertThat(counted(disposition, "100")).isEqualTo(counted(disposition, "9999"));
    }

    @Test
    void aPartWithoutHeadersCounts() {
        assertThat(MultipartSegments.of(bytes("--b\r\n\r\none\r\n--b--"), "b").counting(Optional.of("_csrf")))
                .hasSize(3);
    }

    private static String counted(String disposition, String content) {
        byte[] body = bytes("--b\r\ncontent-disposition: " + disposition + "\r\n\r\n" + content + "\r\n--b--\r\n");
        StringBuilder counted = new StringBuilder();
        MultipartSegments.of(body, "b")
                .counting(Optional.of("_csrf"))
                .forEach(segment -> counted.append(new String(segment, StandardCharsets.UTF_8)));
        return counted.toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
