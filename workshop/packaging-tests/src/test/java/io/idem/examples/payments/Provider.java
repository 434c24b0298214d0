package io.idem.examples.payments;

import java.util.Arrays;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

@Component
class Provider {

    private final RestClient client;

    Provider(RestClient.Builder builder) {
        client = builder.baseUrl("https://api.provider.example").build();
    }

    Charge charge(String key, PaymentRequested payment) {
        return client.post()
                .uri("/charges")
                .header("Idempotency-Key", key) // the provider recognises a repeated call
                .body(payment)
                .retrieve()
                .onStatus(status -> status.value() == 402, (request, response) -> {
                    throw new CardRefusedException(payment.account());
                })
                .requiredBody(Charge.class);
    }

    Optional<Charge> find(String key) {
        Charge[] found = client.get()
                .uri("/charges?idempotency-key={key}", key)
                .retrieve()
                .requiredBody(Charge[].class);
        return Arrays.stream(found).findFirst();
    }
}
