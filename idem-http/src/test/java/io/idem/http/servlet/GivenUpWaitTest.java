package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Runs;
import io.idem.http.internal.admission.WaitingRoom;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tomcat says that the client of an HTTP/2 request has gone; of connections of HTTP/1.1 it does not. */
@AppTest(
        value = WaitTest.Patient.class,
        settings = {
            "server.http2.enabled=true",
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/patient/**",
            "idem.http.routes[0].wait-for=20s"
        })
class GivenUpWaitTest {

    private final App app;
    private final Client client;
    private final Runs runs;
    private final WaitingRoom room;
    private final String key = Client.newKey();

    GivenUpWaitTest(App app) {
        this.app = app;
        this.client = app.client();
        this.runs = app.bean(Runs.class);
        this.room = app.bean(WaitingRoom.class);
    }

    @Test
    void aWaitEndsWhenItsClientGivesTheRequestUp() throws IOException, InterruptedException {
        HttpClient http2 =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        HttpResponse<Void> upgrade = http2.send(
                HttpRequest.newBuilder(app.uri("/idem/problems.html")).build(), BodyHandlers.discarding());
        assertThat(upgrade.version()).isEqualTo(HttpClient.Version.HTTP_2);
        runs.shut(key);
        CompletableFuture<Answer> first = client.postAsync("/patient/fails-once", key);
        await().until(() -> runs.of(key) == 1);
        CompletableFuture<HttpResponse<Void>> second = http2.sendAsync(
                client.request("/patient/fails-once")
                        .header(Client.KEY, key)
                        .POST(BodyPublishers.ofString("{}"))
                        .build(),
                BodyHandlers.discarding());
        await().until(() -> room.waiting() == 1);

        second.cancel(true);

        await().until(() -> room.waiting() == 0);
        assertThat(first).isNotDone();
        runs.open(key);
        assertThat(first.join().status()).isEqualTo(500);
        assertThat(runs.of(key)).as("nobody waited for the second run").isEqualTo(1);
    }
}
