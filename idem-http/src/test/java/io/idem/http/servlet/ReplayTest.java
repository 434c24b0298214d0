package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.ReplayContract;
import org.junit.jupiter.api.Test;

@AppTest(value = Shop.class)
class ReplayTest extends ReplayContract {

    private final Client localized;

    ReplayTest(App shop) {
        super(shop);
        this.localized = shop.client();
    }

    /** Tomcat keeps what {@code setLocale} was given apart from the headers. */
    @Test
    void theLanguageThatSetLocaleNamesIsReplayed() {
        String key = Client.newKey();
        Client.Answer first = localized.post("/orders/localized", key);
        Client.Answer second = localized.post("/orders/localized", key);

        assertThat(first.response().headers().allValues("Content-Language")).containsExactly("de-AT");
        assertThat(second.replayed()).isTrue();
        assertThat(second.response().headers().allValues("Content-Language")).containsExactly("de-AT");
    }
}
