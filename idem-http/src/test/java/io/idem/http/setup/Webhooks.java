package io.idem.http.setup;

import io.idem.http.IdempotentRoute;
import io.idem.http.KeySource;
import io.idem.http.TenantResolver;
import io.idem.http.WebhookPreset;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Receives webhooks on a route that the settings protect and on routes that code does. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Ledger.class, OpenServlets.class, ParcelSignature.class, Webhooks.Handlers.class})
class Webhooks {

    @Bean
    IdempotentRoute github(@Value("${GITHUB_SECRET}") String secret) {
        return IdempotentRoute.post("/webhooks/github").with(options -> options.webhook(WebhookPreset.GITHUB, secret));
    }

    @Bean
    IdempotentRoute parcels(ParcelSignature signature) {
        return IdempotentRoute.post("/webhooks/parcels")
                .with(options -> options.key(KeySource.jsonPointers("/account", "/event/number"))
                        .tenants(TenantResolver.single())
                        .check(signature));
    }

    @RestController
    static class Handlers {

        private final Ledger ledger;

        Handlers(Ledger ledger) {
            this.ledger = ledger;
        }

        @PostMapping("/webhooks/stripe")
        ResponseEntity<Void> receive(@RequestBody String event) {
            ledger.book(event);
            return ResponseEntity.ok().build();
        }

        @PostMapping({"/webhooks/github", "/webhooks/parcels"})
        ResponseEntity<Void> receiveOthers(@RequestBody String event) {
            return receive(event);
        }
    }
}
