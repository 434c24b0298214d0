package io.idem.http.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.shop.ServletGuards;
import io.idem.http.contract.App;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

@Tag("servers")
class MissedFiltersTest {

    @Test
    void aFilterOfForwardsOnlyIsMissedByARequestThatHasWaited() {
        try (App app = App.start(
                WebApplicationType.SERVLET,
                ServletGuards.OfForwards.class,
                "idem.http.tenant=PRINCIPAL",
                "idem.http.routes[0].path=/orders")) {
            assertThat(MissedFilters.in(app.bean(ServletLaterFilters.class)))
                    .singleElement()
                    .asString()
                    .startsWith("ofForwards (");
        }
    }
}
