package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.WaitContract;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

@Tag("extended")
@AppTest(
        value = JettyWaitTest.OnJetty.class,
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
class JettyWaitTest extends WaitContract {

    JettyWaitTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({PatientHandlers.class, Shop.Open.class, Shop.Parts.class})
    static class OnJetty {

        @Bean
        JettyServletWebServerFactory server() {
            return new JettyServletWebServerFactory();
        }
    }
}
