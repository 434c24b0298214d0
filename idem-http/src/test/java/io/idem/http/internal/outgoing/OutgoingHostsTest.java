package io.idem.http.internal.outgoing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses belong to listed hosts, in the spellings that HTTP clients accept. */
class OutgoingHostsTest {

    @ParameterizedTest
    @CsvSource({
        "payment_service, http://payment_service/pay",
        "payment_service, http://user:secret@Payment_Service:8080/pay",
        "payment_service:8080, http://payment_service:8080/pay",
        "payment_service:80, http://payment_service/pay",
        "*.my_stack, http://payment_service.my_stack/pay",
        "PAYMENTS.example.com, https://payments.EXAMPLE.com/pay",
        "payments.example.com, https://payments.example.com./pay",
        "payments.example.com:443, https://payments.example.com./pay",
        "payments.example.com, https://payments.example.com:/pay",
        "*.example.com:8443, https://a.b.example.com:8443/pay",
        "127.0.0.1, http://127.0.0.1:9000/pay"
    })
    void aListedHostIsFoundInEverySpelling(String listed, URI address) {
        assertThat(new OutgoingHosts(List.of(listed)).include(address)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "payment_service, http://payment_service@other_host/pay",
        "payment_service, http://payment_service.other_host/pay",
        "payment_service:80, http://payment_service:8080/pay",
        "payment_service, http://other/payment_service",
        "payments.example.com, 'https://payments.example.com,other_host/pay'",
        "*.example.com, 'https://other_host,a.example.com/pay'",
        "*.example.com, https://example.com/pay",
        "*.example.com, https://[::1]/pay",
        "*.example.com, mailto:a@a.example.com",
        "*.example.com, /pay"
    })
    void anotherHostIsNotTakenForAListedOne(String listed, URI address) {
        assertThat(new OutgoingHosts(List.of(listed)).include(address)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[::1]:8443", "münchen.example", "http://payments", "payments/v1", "*", "a b", "payments."})
    void whatIsNoHostIsRefusedWithAnExample(String listed) {
        List<String> hosts = List.of(listed);
        assertThatThrownBy(() -> new OutgoingHosts(hosts))
                .hasMessageContaining("\"" + listed + "\" is not a host")
                .hasMessageContaining("payments.example.com:8443");
    }
}
