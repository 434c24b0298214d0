package io.idem.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Runs;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Multipart bodies of a few bytes a part: Spring's parser needs a part of the stack for each part of one buffer. */
@ExtendWith(OutputCaptureExtension.class)
@AppTest(
        value = ReactiveShop.class,
        type = WebApplicationType.REACTIVE,
        settings = {"idem.http.tenant=SINGLE", "idem.http.routes[0].path=/orders/**"})
class ManyPartsTest {

    private static final int ALLOWED = 1_000;

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    ManyPartsTest(App shop) {
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"b", "\"b\""})
    void asManyPartsAsAreAllowedReachTheHandler(String boundary, CapturedOutput output) {
        Answer first = post(boundary, part().repeat(ALLOWED));
        Answer second = post(boundary, part().repeat(ALLOWED));

        assertThat(first.body()).isEqualTo("1000 parts, run 1");
        assertThat(second.replayed()).isTrue();
        assertThat(output.getAll()).doesNotContain("StackOverflowError");
    }

    @Test
    void moreAreRefusedWithoutATraceInTheLogAndTakeNoKey(CapturedOutput output) {
        for (int parts : new int[] {ALLOWED + 1, 12_000}) {
            Answer refused = post(parts);

            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body()).contains("urn:idem:problem:body-unreadable", "more than 1000 parts");
        }
        assertThat(runs.of(key)).isZero();
        assertThat(output.getAll()).doesNotContain("StackOverflowError").hasSizeLessThan(2_000);
        assertThat(post(1).status()).isEqualTo(200);
    }

    @Test
    void aPartOverALimitOfTheServerIsRefusedWithThatReason() {
        Answer refused =
                post("b", "--b\r\nContent-Disposition: form-data; name=\"" + "a".repeat(20_000) + "\"\r\n\r\n\r\n");

        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.body())
                .contains("urn:idem:problem:body-too-large", "limit of the server")
                .doesNotContain("1048576");
        assertThat(runs.of(key)).isZero();
    }

    private Answer post(int parts) {
        return post("b", part().repeat(parts));
    }

    /** Without content, as fields of a form that were left empty. */
    private static String part() {
        return "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n";
    }

    private Answer post(String boundary, String parts) {
        return client.send(client.request("/orders/parts")
                .setHeader("Content-Type", "multipart/form-data; boundary=" + boundary)
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString(parts + "--b--\r\n")));
    }
}
