package io.idem.http.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.clients.RetryingClient.Seen;
import io.idem.http.clients.Troubles.Outcome;
import io.idem.http.clients.Troubles.Trouble;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import java.io.IOException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
@AppTest(value = ClientsApp.class, settings = "idem.http.tenant=SINGLE")
class ClientsTest {

    private final Troubles troubles;

    ClientsTest(App app) {
        this.troubles = new Troubles(app);
    }

    @ParameterizedTest
    @CsvSource({"OKHTTP, 0", "APACHE_5, 0", "REST_CLIENT_WITH_RETRY_TEMPLATE, 200"})
    void aLostAnswerComesWithTheNextRequestUnderTheKey(JavaClients client, int status) throws IOException {
        Outcome outcome = troubles.meet(client, Trouble.LOST_ANSWER, ClientsApp.AT_ONCE);
        assertThat(outcome.first().status()).isEqualTo(status);
        assertThat(outcome.again()).isEqualTo(new Seen(200, "paid by run 1"));
        assertThat(outcome.runs()).isEqualTo(1);
    }

    /** OkHttp repeats only what need not wait. */
    @ParameterizedTest
    @CsvSource({"OKHTTP, 503", "APACHE_5, 200", "REST_CLIENT_WITH_RETRY_TEMPLATE, 200"})
    void aRequestThatWasRefusedForNowRunsWhenItComesAgain(JavaClients client, int status) throws IOException {
        Outcome outcome = troubles.meet(client, Trouble.UNAVAILABLE, ClientsApp.AT_ONCE);
        assertThat(outcome.first().status()).isEqualTo(status);
        assertThat(outcome.again()).isEqualTo(new Seen(200, "paid by run 2"));
        assertThat(outcome.runs()).isEqualTo(2);
    }

    /** For clients that do not repeat a 409, it is the end. */
    @ParameterizedTest
    @CsvSource({"OKHTTP, 409", "APACHE_5, 409", "REST_CLIENT_WITH_RETRY_TEMPLATE, 200"})
    void aDuplicateOfARunningRequestIsToldSoAtOnce(JavaClients client, int status) throws IOException {
        Outcome outcome = troubles.meet(client, Trouble.STILL_RUNNING, ClientsApp.AT_ONCE);
        assertThat(outcome.first().status()).isEqualTo(status);
        assertThat(outcome.again()).isEqualTo(new Seen(200, "paid by run 1"));
        assertThat(outcome.runs()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void aDuplicateThatWaitsGetsTheAnswerOfTheRunningRequest(JavaClients client) throws IOException {
        Outcome outcome = troubles.meet(client, Trouble.STILL_RUNNING, ClientsApp.WAITS);
        assertThat(outcome.first()).isEqualTo(outcome.again()).isEqualTo(new Seen(200, "paid by run 1"));
        assertThat(outcome.runs()).isEqualTo(1);
    }
}
