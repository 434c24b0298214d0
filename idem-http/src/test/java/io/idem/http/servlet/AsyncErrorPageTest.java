package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** An application whose error page is asynchronous itself. */
@AppTest(
        value = AsyncErrorPageTest.Failing.class,
        settings = {"idem.http.tenant=SINGLE", "idem.http.routes[0].path=/orders/**"})
class AsyncErrorPageTest {

    private final Client client;
    private final String key = Client.newKey();

    AsyncErrorPageTest(App app) {
        this.client = app.client();
    }

    @RepeatedTest(8)
    void theKeyIsSettledBehindThePage() {
        assertThat(client.post("/orders/later", key).status()).isEqualTo(402);

        await().untilAsserted(
                () -> assertThat(client.post("/orders/later", key).replayed()).isTrue());
    }

    @RestController
    static class Orders implements ErrorController {

        @PostMapping("/orders/later")
        CompletableFuture<String> later() {
            return CompletableFuture.supplyAsync(() -> {
                throw new ResponseStatusException(HttpStatus.PAYMENT_REQUIRED);
            });
        }

        @RequestMapping("/error")
        Callable<String> page() {
            return () -> "page";
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Orders.class})
    static class Failing {}
}
