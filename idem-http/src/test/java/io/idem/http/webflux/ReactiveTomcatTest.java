package io.idem.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.ReplayContract;
import io.idem.http.contract.Runs;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.tomcat.reactive.TomcatReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Another server than Netty writes answers in its own way. */
@AppTest(
        value = ReactiveTomcatTest.OnTomcat.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "spring.webflux.hiddenmethod.filter.enabled=true",
            "idem.http.tenant=SINGLE",
            "idem.http.max-response-body=64KB",
            "idem.http.routes[0].path=/orders/**"
        })
class ReactiveTomcatTest extends ReplayContract {

    private final Client client;
    private final String key = Client.newKey();

    ReactiveTomcatTest(App app) {
        super(app);
        this.client = app.client();
    }

    @Test
    void aFormThatAFilterReadBeforeReachesItsHandlerAndIsReplayed() {
        Answer first = client.send(form("item=book&note=one"));
        Answer second = client.send(form("item=book&note=one"));

        assertThat(first.body()).isEqualTo("book/one/1");
        assertThat(second.replayed()).isTrue();
        assertThat(client.send(form("item=book&note=two")).status()).isEqualTo(422);
    }

    @Test
    void anEmptyFormIsReplayed() {
        Answer first = client.send(form(""));

        assertThat(first.body()).isEqualTo("null/null/1");
        assertThat(client.send(form("")).replayed()).isTrue();
    }

    private HttpRequest.Builder form(String form) {
        return client.request("/orders/form")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString(form));
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Orders.class, ReactiveShop.Open.class})
    static class OnTomcat {

        @Bean
        TomcatReactiveWebServerFactory server() {
            return new TomcatReactiveWebServerFactory();
        }

        @Bean
        FaultyStore store() {
            return new FaultyStore();
        }

        @Bean
        Runs runs() {
            return new Runs();
        }
    }
}
