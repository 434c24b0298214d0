package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Runs;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms below the limit of bytes with more fields than anybody fills in. */
@AppTest(
        value = Shop.class,
        settings = {"idem.http.tenant=SINGLE", "idem.http.routes[0].path=/orders/**"})
class FormFieldsTest {

    private static final int ALLOWED = 10_000;

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    FormFieldsTest(App shop) {
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"&a", "&"})
    void aFormOfTooManyFieldsIsRefusedAndTakesNoKey(String field) {
        Answer refused = post(field.repeat(ALLOWED - 1));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("urn:idem:problem:body-unreadable", "more than 10000 fields");
        assertThat(runs.of(key)).isZero();
        assertThat(post("").status()).isEqualTo(200);
    }

    @Test
    void asManyFieldsAsAreAllowedReachTheHandler() {
        assertThat(post("&a".repeat(ALLOWED - 2)).body()).isEqualTo("tea/green/1");
    }

    /** Tomcat takes 50 parts, and answers nothing but that one of its limits is exceeded. */
    @Test
    void partsOverALimitOfTheContainerAreRefusedWithThatReason() {
        String part = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n";
        Answer refused = client.send(client.request("/orders/parts")
                .setHeader("Content-Type", "multipart/form-data; boundary=b")
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString(part.repeat(60) + "--b--\r\n")));

        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.body())
                .contains("urn:idem:problem:body-too-large", "limit of the server")
                .doesNotContain("1048576");
        assertThat(runs.of(key)).isZero();
    }

    private Answer post(String more) {
        return client.send(client.request("/orders/form")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString("item=tea&note=green" + more)));
    }
}
