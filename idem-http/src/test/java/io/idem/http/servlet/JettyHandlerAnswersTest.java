package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

@Tag("extended")
@AppTest(
        value = JettyHandlerAnswersTest.OnJetty.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.max-response-body=64KB",
            "idem.http.filters-behind=behind",
            "idem.http.routes[0].path=/answers/**",
            "idem.http.routes[1].path=/functional/**"
        })
class JettyHandlerAnswersTest extends HandlerAnswersTest {

    JettyHandlerAnswersTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({HandlerAnswersTest.Answering.class, JettyServer.class})
    static class OnJetty {}
}
