package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.ReplayContract;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

@Tag("extended")
@AppTest(value = JettyReplayTest.OnJetty.class)
class JettyReplayTest extends ReplayContract {

    JettyReplayTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.class, JettyServer.class})
    static class OnJetty {}
}
