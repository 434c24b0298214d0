package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.Client.Answer;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** H-04, H-05: bodies are read before their handler, which must not notice. */
public abstract class BodyContract {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    protected BodyContract(App shop) {
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
    }

    @Test
    void aBodyOverTheLimitGets413AndTakesNoKey() {
        Answer answer = client.post("/orders", key, "x".repeat(2049));

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body()).contains("urn:idem:problem:body-too-large", "2048");
        assertThat(client.post("/orders", key, "x".repeat(2048)).status()).isEqualTo(201);
    }

    @Test
    void aBodyOfUnknownLengthOverTheLimitGets413() {
        byte[] body = "x".repeat(5000).getBytes(StandardCharsets.US_ASCII);

        Answer answer = client.send(client.request("/orders")
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))));

        assertThat(answer.status()).isEqualTo(413);
    }

    @Test
    void aFormReachesItsHandlerAndIsReplayed() {
        Answer first = client.send(form("/orders/form?item=book", "note=a%20b+%C3%BC"));
        Answer second = client.send(form("/orders/form?item=book", "note=a%20b+%C3%BC"));

        assertThat(first.body()).isEqualTo("book/a b ü/1");
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
    }

    @Test
    void aFormWithAnotherFieldIsAnotherRequest() {
        client.send(form("/orders/form", "item=book&note=one"));

        assertThat(client.send(form("/orders/form", "item=book&note=two")).status())
                .isEqualTo(422);
    }

    @ParameterizedTest
    @ValueSource(strings = {"item=%zz&note=1", "item=%", "item=%f"})
    void aMalformedFormGets400(String form) {
        Answer answer = client.send(form("/orders/form", form));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(runs.of(key)).isZero();
    }

    /** Spring reads forms of these methods itself, before all others. */
    @ParameterizedTest
    @ValueSource(strings = {"PATCH", "PUT", "DELETE"})
    void aMalformedFormOfAnotherMethodIsNoServerError(String method) {
        Answer answer = client.send(
                HttpRequest.newBuilder(client.request("/orders/7").build().uri())
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header(Client.KEY, key)
                        .method(method, BodyPublishers.ofString("item=%zz")));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("urn:idem:problem:body-unreadable");
        assertThat(runs.of(key)).isZero();
    }

    @Test
    void anUnknownCharsetGets400NotAServerError() {
        Answer answer = client.send(
                HttpRequest.newBuilder(client.request("/orders/form").build().uri())
                        .header("Content-Type", "application/x-www-form-urlencoded;charset=no-such")
                        .header(Client.KEY, key)
                        .POST(BodyPublishers.ofString("item=1&note=2")));

        assertThat(answer.status()).isBetween(400, 499);
    }

    @Test
    void anUploadReachesItsHandlerAndIsReplayedThoughItsBoundaryDiffers() {
        Answer first = client.send(upload("one", "content"));
        Answer second = client.send(upload("two", "content"));

        assertThat(first.body()).isEqualTo("book/cover.txt/content/1");
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
    }

    @Test
    void anUploadOfAnotherFileIsAnotherRequest() {
        client.send(upload("one", "content"));

        assertThat(client.send(upload("one", "changed")).status()).isEqualTo(422);
    }

    @Test
    void anUploadOverTheLimitGets413() {
        assertThat(client.send(upload("one", "x".repeat(3000))).status()).isEqualTo(413);
        assertThat(runs.of(key)).isZero();
    }

    @Test
    void aTruncatedUploadGets400() {
        Answer answer =
                client.send(multipart("one", "--one\r\nContent-Disposition: form-data; name=\"item\"\r\n\r\nbo"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(runs.of(key)).isZero();
    }

    @Test
    void aFileCalledNullIsNotTheSameAsNoFile() {
        client.send(multipart("/orders/parts", "one", part("one", "name=\"a\"", "x") + "--one--\r\n"));

        Answer named = client.send(
                multipart("/orders/parts", "one", part("one", "name=\"a\"; filename=\"null\"", "x") + "--one--\r\n"));

        assertThat(named.status()).isEqualTo(422);
    }

    private static String part(String boundary, String disposition, String content) {
        return "--" + boundary + "\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" + content + "\r\n";
    }

    private HttpRequest.Builder form(String path, String content) {
        return HttpRequest.newBuilder(client.request(path).build().uri())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString(content));
    }

    private HttpRequest.Builder upload(String boundary, String content) {
        return multipart(
                boundary,
                "--" + boundary + "\r\nContent-Disposition: form-data; name=\"item\"\r\n\r\nbook\r\n--" + boundary
                        + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"cover.txt\"\r\n"
                        + "Content-Type: text/plain\r\n\r\n" + content + "\r\n--" + boundary + "--\r\n");
    }

    private HttpRequest.Builder multipart(String boundary, String content) {
        return multipart("/orders/upload", boundary, content);
    }

    private HttpRequest.Builder multipart(String path, String boundary, String content) {
        return HttpRequest.newBuilder(client.request(path).build().uri())
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString(content));
    }
}
