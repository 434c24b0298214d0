package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Runs;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** H-12 */
@EnabledForJreRange(
        min = JRE.JAVA_21,
        disabledReason = "virtual threads need JDK 21: run the build on a newer one to have this tested")
@AppTest(
        value = VirtualThreadsTest.Virtual.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/virtual",
            "spring.threads.virtual.enabled=true"
        })
class VirtualThreadsTest {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    VirtualThreadsTest(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @Test
    void aDuplicateOnAVirtualThreadIsReplayed() {
        Answer first = client.post("/virtual", key);

        assertThat(first.body()).startsWith("VirtualThread");
        assertThat(client.post("/virtual", key).bytes()).isEqualTo(first.bytes());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void parallelRequestsOnVirtualThreadsRunOnce() {
        List<CompletableFuture<Answer>> all = Stream.generate(() -> client.postAsync("/virtual", key))
                .limit(100)
                .toList();

        assertThat(all).allSatisfy(answer -> assertThat(answer.join().status()).isIn(200, 409));
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @RestController
    static class Handler {

        private final Runs runs;

        Handler(Runs runs) {
            this.runs = runs;
        }

        @PostMapping("/virtual")
        String run(@RequestHeader(Client.KEY) String key) {
            return Thread.currentThread() + " " + runs.enter(key);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Handler.class})
    static class Virtual {}
}
