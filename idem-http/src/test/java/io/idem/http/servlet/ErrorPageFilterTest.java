package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Runs;
import jakarta.servlet.DispatcherType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.support.ErrorPageFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** A WAR on a server of its own, where Spring Boot's filter forwards to the error page in place of the container. */
@AppTest(
        value = ErrorPageFilterTest.War.class,
        settings = {"idem.http.tenant=SINGLE", "idem.http.routes[0].path=/**"})
class ErrorPageFilterTest {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    ErrorPageFilterTest(App war) {
        this.client = war.client();
        this.runs = war.bean(Runs.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"error", "thrown", "thrown-later"})
    void theErrorPageOfADeterministicRefusalIsReplayedByteForByte(String kind) {
        Answer first = client.post("/orders/" + kind + "/404", key);
        Answer second = client.post("/orders/" + kind + "/404", key);

        assertThat(first.status()).isEqualTo(404);
        assertThat(first.body()).contains("timestamp", "Not Found", "\"path\":\"/orders/" + kind + "/404\"");
        assertThat(second.status()).isEqualTo(404);
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(second.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(second.header("X-Run")).isEqualTo(first.header("X-Run"));
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"error", "thrown", "thrown-later"})
    void theErrorPageOfAPassingFailureFreesTheKey(String kind) {
        Answer first = client.post("/orders/" + kind + "/503", key);
        Answer second = client.post("/orders/" + kind + "/503", key);

        assertThat(first.status()).isEqualTo(503);
        assertThat(first.body()).contains("Service Unavailable");
        assertThat(second.replayed()).isFalse();
        assertThat(runs.of(key)).isEqualTo(2);
    }

    @Test
    void anExceptionFreesTheKey() {
        Answer first = client.post("/orders/fails-once", key);
        Answer second = client.post("/orders/fails-once", key);
        Answer third = client.post("/orders/fails-once", key);

        assertThat(first.status()).isEqualTo(500);
        assertThat(first.body()).contains("Internal Server Error");
        assertThat(second.status()).isEqualTo(200);
        assertThat(third.replayed()).isTrue();
        assertThat(runs.of(key)).isEqualTo(2);
    }

    @Import(Shop.class)
    static class War {

        @Bean
        ErrorPageFilter errorPageFilter() {
            return new ErrorPageFilter();
        }

        @Bean
        FilterRegistrationBean<ErrorPageFilter> errorPageFilterRegistration(ErrorPageFilter filter) {
            FilterRegistrationBean<ErrorPageFilter> registration = new FilterRegistrationBean<>(filter);
            registration.setOrder(filter.getOrder());
            registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
            return registration;
        }
    }
}
