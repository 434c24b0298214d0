package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.WaitContract;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** An application with a filter that only the first dispatch of a request passes, which therefore waits on its thread. */
@AppTest(
        value = HeldThreadWaitTest.Filtered.class,
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
class HeldThreadWaitTest extends WaitContract {

    HeldThreadWaitTest(App app) {
        super(app);
    }

    @Test
    void theFilterIsAroundADuplicateThatRunsInTheEnd() {
        CompletableFuture<Answer> first = running("/patient/fails-once");
        List<CompletableFuture<Answer>> waiting = waiting("/patient/fails-once", 1);
        runs.open(key);

        assertThat(first.join().status()).isEqualTo(500);
        assertThat(waiting.get(0).join().body()).isEqualTo("run 2 of {}");
        assertThat(waiting.get(0).join().header("X-Passed")).isEqualTo("yes");
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({PatientHandlers.class, Shop.Open.class, Shop.Parts.class, FirstDispatchOnly.class})
    static class Filtered {}

    static class FirstDispatchOnly implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            ((HttpServletResponse) response).setHeader("X-Passed", "yes");
            chain.doFilter(request, response);
        }
    }
}
