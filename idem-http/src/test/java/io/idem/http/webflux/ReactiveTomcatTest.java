package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.ReplayContract;
import io.idem.http.contract.Runs;
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
        settings = {"idem.http.tenant=SINGLE", "idem.http.max-response-body=64KB", "idem.http.routes[0].path=/orders/**"
        })
class ReactiveTomcatTest extends ReplayContract {

    ReactiveTomcatTest(App app) {
        super(app);
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
