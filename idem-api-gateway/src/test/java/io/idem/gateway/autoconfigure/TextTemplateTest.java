package io.idem.gateway.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TextTemplateTest {

    @Test
    void placeholdersAreFilledAndNothingElseIsTouched() {
        TextTemplate template = new TextTemplate("{\"id\":\"{id}\",\"a\":{},\"of\":\"{payment}\"}", Set.of("payment"));

        assertThat(template.fill(name -> Map.of("id", "i", "payment", "p").getOrDefault(name, "?")))
                .isEqualTo("{\"id\":\"i\",\"a\":{},\"of\":\"p\"}");
    }

    @Test
    void valuesAreNotReadAsTemplates() {
        TextTemplate template = new TextTemplate("/{key}/{id}", Set.of());

        assertThat(template.fill(name -> Map.of("key", "{id}$1\\", "id", "i").getOrDefault(name, "?")))
                .isEqualTo("/{id}$1\\/i");
    }

    @Test
    void aNameThatNoRequestHasIsRefused() {
        assertThatThrownBy(() -> new TextTemplate("{account}", Set.of("payment")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("{account}");
    }
}
