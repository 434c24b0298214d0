package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.contract.Client.Answer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** H-12: GraphQL over HTTP is a POST to one path, whose body says what is asked for. */
public abstract class GraphQlContract {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    protected GraphQlContract(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @Test
    void aMutationRunsOnceAndIsReplayed() {
        Answer first = order("tea");
        Answer second = order("tea");

        assertThat(first.body()).isEqualTo("{\"data\":{\"order\":\"tea 1\"}}");
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(second.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void anotherMutationUnderTheSameKeyIsAnotherRequest() {
        order("tea");

        assertThat(order("coffee").status()).isEqualTo(422);
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aDuplicateOfARunningMutationGets409() {
        runs.shut(key);
        CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> order("tea"));
        await().until(() -> runs.of(key) == 1);
        Answer second = order("tea");
        runs.open(key);

        assertThat(second.status()).isEqualTo(409);
        assertThat(first.join().body()).contains("tea 1");
    }

    /** An error of GraphQL is an answer of status 200. */
    @Test
    void anErrorOfAMutationIsReplayed() {
        Answer first = order("nothing");
        Answer second = order("nothing");

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.body()).contains("errors");
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    /** What both kinds of applications do for a mutation. */
    protected static String order(Runs runs, String key, String item) {
        int run = runs.enter(key);
        if (item.equals("nothing")) {
            throw new IllegalStateException("ordered by a test");
        }
        return item + " " + run;
    }

    private Answer order(String item) {
        return client.post(
                "/graphql",
                key,
                "{\"query\":\"mutation { order(key: \\\"" + key + "\\\", item: \\\"" + item + "\\\") }\"}");
    }
}
