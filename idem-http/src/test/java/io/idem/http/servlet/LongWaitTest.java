package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Runs;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Requests that wait for longer than the server leaves asynchronous ones alone, 30 s unless it is set. */
@AppTest(
        value = LongWaitTest.Impatient.class,
        settings = {"idem.http.tenant=SINGLE", "idem.http.routes[0].path=/patient/**", "idem.http.routes[0].wait-for=2s"
        })
class LongWaitTest {

    private final Client client;
    private final Runs runs;
    private final MeterRegistry meters;
    private final String key = Client.newKey();

    LongWaitTest(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
        this.meters = app.bean(MeterRegistry.class);
    }

    /** Tomcat looks for requests that are over their time once a second. */
    @Test
    void aDuplicateIsAskedForItsKeyWhenItComesAndWhenItsWaitIsOver() {
        runs.shut(key);
        CompletableFuture<Answer> first = client.postAsync("/patient/run", key);
        await().until(() -> runs.of(key) == 1);

        assertThat(client.post("/patient/run", key).status()).isEqualTo(409);

        assertThat(meters.counter("idem.claims", "scope", "http.shop", "answer", "in-progress")
                        .count())
                .isEqualTo(2);
        runs.open(key);
        assertThat(first.join().status()).isEqualTo(200);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({PatientHandlers.class, Shop.Open.class, Shop.Parts.class})
    static class Impatient {

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        WebServerFactoryCustomizer<TomcatServletWebServerFactory> impatient() {
            return server -> server.addConnectorCustomizers(connector -> connector.setAsyncTimeout(300));
        }
    }
}
