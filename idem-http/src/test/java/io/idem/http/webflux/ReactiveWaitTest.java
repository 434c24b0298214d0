package io.idem.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.RawConnection;
import io.idem.http.contract.Runs;
import io.idem.http.contract.WaitContract;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

@AppTest(
        value = ReactiveWaitTest.Patient.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.max-waiting=50",
            "idem.http.routes[0].path=/patient/**",
            "idem.http.routes[0].wait-for=20s",
            "idem.http.routes[1].path=/hasty/**",
            "idem.http.routes[1].wait-for=300ms",
            "idem.http.routes[2].path=/unavailable/**",
            "idem.http.routes[2].in-progress-status=503"
        })
class ReactiveWaitTest extends WaitContract {

    ReactiveWaitTest(App app) {
        super(app);
    }

    @Test
    void aWaitEndsWhenItsClientGoesAway() throws IOException {
        CompletableFuture<Answer> first = running("/patient/fails-once");
        try (RawConnection connection = new RawConnection(app)) {
            connection.send("POST /patient/fails-once HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n"
                    + "Idempotency-Key: " + key + "\r\nContent-Length: 2\r\n\r\n{}");
            await().until(() -> room.waiting() == 1);
            connection.reset();
        }

        await().until(() -> room.waiting() == 0);
        assertThat(first).isNotDone();
        runs.open(key);
        assertThat(first.join().status()).isEqualTo(500);
        assertThat(runs.of(key)).as("nobody waited for the second run").isEqualTo(1);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Handlers.class, ReactiveShop.Open.class, ReactiveShop.Parts.class})
    static class Patient {}

    @RestController
    static class Handlers {

        private final Runs runs;

        Handlers(Runs runs) {
            this.runs = runs;
        }

        @PostMapping({"/patient/run", "/patient/late", "/hasty/run", "/unavailable/run"})
        Mono<String> run(@RequestHeader(Client.KEY) String key, @RequestBody String body) {
            return ReactiveShop.run(runs, key, run -> "run " + run + " of " + body);
        }

        @PostMapping({"/patient/fails-once", "/patient/late-fails-once"})
        Mono<String> failsOnce(@RequestHeader(Client.KEY) String key, @RequestBody String body) {
            return ReactiveShop.run(runs, key, run -> {
                if (run == 1) {
                    throw new IllegalStateException("ordered by a test");
                }
                return "run " + run + " of " + body;
            });
        }

        @PostMapping(path = "/patient/form", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
        Mono<String> form(@RequestHeader(Client.KEY) String key, ServerWebExchange exchange) {
            return exchange.getFormData().flatMap(form -> failsOnce(key, String.valueOf(form.getFirst("item"))));
        }
    }
}
