package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.ConformanceContract;
import io.idem.http.contract.ConformanceEndpoints;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

@Tag("extended")
@AppTest(value = JettyConformanceTest.OnJetty.class, settings = ConformanceContract.SETTINGS)
class JettyConformanceTest extends ConformanceContract {

    JettyConformanceTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ConformanceEndpoints.class, Shop.Open.class, JettyServer.class})
    static class OnJetty {}
}
