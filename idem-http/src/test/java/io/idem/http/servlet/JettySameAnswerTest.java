package io.idem.http.servlet;

import io.idem.http.contract.SameAnswerContract;
import io.idem.http.contract.WireRequest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Another container than Tomcat has its own say. */
@Tag("extended")
class JettySameAnswerTest extends SameAnswerContract {

    JettySameAnswerTest() {
        super(
                WebApplicationType.SERVLET,
                OnJetty.class,
                "/length-(writer-)?[035]$|/length-alone|/redirect-301-kept|/raw/error|/raw/throws|/mvc/(refused|fails|json|unwritable)"
                        + "|/raw/name-(7|14)$|/raw/error-after-write$");
    }

    @Override
    protected Stream<WireRequest> requests() {
        return WirePages.requests().filter(request -> !request.name().endsWith("/forward"));
    }

    @Override
    protected Stream<WireRequest> malformed() {
        return WirePages.malformed();
    }

    @Import(WirePages.class)
    static class OnJetty {

        @Bean
        JettyServletWebServerFactory jetty() {
            return new JettyServletWebServerFactory();
        }
    }
}
