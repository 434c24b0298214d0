package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.BodyContract;
import io.idem.http.contract.Client;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;

@AppTest(value = Shop.class)
class BodyTest extends BodyContract {

    private final Client forms;

    BodyTest(App shop) {
        super(shop);
        this.forms = shop.client();
    }

    /** Forms of PATCH are read by a filter of Spring's, which makes no value of a bare name. */
    @Test
    void aFieldWithoutValueIsNotTheSameAsAnEmptyOne() {
        String key = Client.newKey();

        assertThat(patchForm(key, "item").status()).isEqualTo(200);
        assertThat(patchForm(key, "item").status()).isEqualTo(200);
        assertThat(patchForm(key, "item=").status()).isEqualTo(422);
    }

    private Client.Answer patchForm(String key, String form) {
        return forms.send(forms.request("/orders/form")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header(Client.KEY, key)
                .method("PATCH", BodyPublishers.ofString(form)));
    }
}
