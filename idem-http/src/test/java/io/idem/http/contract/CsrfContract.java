package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.Client.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;

/** Spring Security masks the token against forged requests anew for every page, so the token of a retry is spelled otherwise. */
public abstract class CsrfContract {

    protected final Client client;
    protected final Runs runs;
    protected final String key = Client.newKey();
    private final String cookie;

    protected CsrfContract(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
        this.cookie =
                client.send(client.request("/token").GET()).header("Set-Cookie").split(";", 2)[0];
    }

    @Test
    void aFormWithAFreshlyMaskedTokenIsTheSameRequest() {
        assertSame(form("item=book&_csrf=" + token() + "&note=one"), form("item=book&_csrf=" + token() + "&note=one"));
    }

    @Test
    void aFormWhoseTokenIsInTheHeaderIsTheSameRequestWhateverItsField() {
        assertSame(
                form("item=book&note=one&_csrf=" + token()).header("X-CSRF-TOKEN", token()),
                form("item=book&note=one&_csrf=" + token()).header("X-CSRF-TOKEN", token()));
    }

    @Test
    void theOtherFieldsStillCount() {
        client.send(form("item=book&note=one&_csrf=" + token()));

        assertThat(client.send(form("item=book&note=two&_csrf=" + token())).status())
                .isEqualTo(422);
        assertThat(client.send(form("item=book&note=one&_csrfs=x&_csrf=" + token()))
                        .status())
                .isEqualTo(422);
    }

    @Test
    void theFieldCountsWhereNoTokenIsAskedFor() {
        assertThat(open("item=book&note=one&_csrf=1").status()).isEqualTo(200);

        assertThat(open("item=book&note=one&_csrf=1").replayed()).isTrue();
        assertThat(open("item=book&note=one&_csrf=2").status()).isEqualTo(422);
    }

    @Test
    void aPartWithAFreshlyMaskedTokenIsTheSameRequest() {
        assertSame(parts("book"), parts("book"));
        assertThat(client.send(parts("pen")).status()).isEqualTo(422);
    }

    /** A request of nobody's session: no chain with a protection against forged requests answers it. */
    private Answer open(String form) {
        return client.send(client.request("/open/form")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString(form)));
    }

    protected void assertSame(HttpRequest.Builder one, HttpRequest.Builder other) {
        Answer first = client.send(one);
        Answer second = client.send(other);

        assertThat(first.status()).isEqualTo(200);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
    }

    /** Another spelling of the session's token each time. */
    protected String token() {
        return client.send(inSession(client.request("/token")).GET()).body();
    }

    protected HttpRequest.Builder inSession(HttpRequest.Builder request) {
        return request.header("Cookie", cookie);
    }

    protected HttpRequest.Builder form(String content) {
        return inSession(client.request("/orders/form"))
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString(content));
    }

    protected HttpRequest.Builder parts(String item) {
        return inSession(client.request("/orders/parts"))
                .setHeader("Content-Type", "multipart/form-data; boundary=b")
                .header("X-CSRF-TOKEN", token())
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString(part("item", item) + part("_csrf", token()) + "--b--\r\n"));
    }

    private static String part(String name, String content) {
        return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + content + "\r\n";
    }
}
