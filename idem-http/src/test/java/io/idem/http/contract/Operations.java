package io.idem.http.contract;

import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Handlers that tell which of them ran and what it got; the same on both stacks. Runs are counted by the key as it was sent. */
@RestController
@RequestMapping("/operations")
public class Operations {

    private final Runs runs;

    public Operations(Runs runs) {
        this.runs = runs;
    }

    @PostMapping({"/plain", "/again/operations/plain"})
    public String plain(
            @RequestHeader(Client.KEY) String key,
            @RequestHeader(name = "X-Region", required = false) String region,
            @CookieValue(name = "basket", required = false) String basket) {
        return "run " + runs.enter(key);
    }

    @PostMapping("/bytes")
    public String bytes(@RequestHeader(Client.KEY) String key, @RequestBody byte[] body) {
        return body.length + " bytes, run " + runs.enter(key);
    }

    @PostMapping(path = "/chosen", headers = "X-Kind=card")
    public String card(@RequestHeader(Client.KEY) String key) {
        return "card " + runs.enter(key);
    }

    @PostMapping(path = "/chosen", headers = "X-Kind=transfer")
    public String transfer(@RequestHeader(Client.KEY) String key) {
        return "transfer " + runs.enter(key);
    }

    @PostMapping(path = "/consumed", consumes = MediaType.APPLICATION_JSON_VALUE)
    public String json(@RequestHeader(Client.KEY) String key) {
        return "json " + runs.enter(key);
    }

    @PostMapping(path = "/consumed", consumes = "application/vnd.order.v2+json")
    public String second(@RequestHeader(Client.KEY) String key) {
        return "v2 " + runs.enter(key);
    }

    @PostMapping(path = "/produced", produces = MediaType.APPLICATION_JSON_VALUE)
    public Map<String, Integer> invoice(@RequestHeader(Client.KEY) String key) {
        return Map.of("invoice", runs.enter(key));
    }

    @PostMapping(path = "/produced", produces = MediaType.TEXT_PLAIN_VALUE)
    public String label(@RequestHeader(Client.KEY) String key) {
        return "label " + runs.enter(key);
    }

    @PostMapping(path = "/alone", produces = MediaType.APPLICATION_JSON_VALUE)
    public Map<String, Integer> alone(@RequestHeader(Client.KEY) String key) {
        return Map.of("run", runs.enter(key));
    }

    @PostMapping(path = "/parameter", params = "action=pay")
    public String pay(@RequestHeader(Client.KEY) String key) {
        return "pay " + runs.enter(key);
    }

    @PostMapping(path = "/parameter", params = "action=cancel")
    public String cancel(@RequestHeader(Client.KEY) String key) {
        return "cancel " + runs.enter(key);
    }

    @PostMapping(path = "/named/{id}", headers = "X-Kind=card")
    public String namedCard(@RequestHeader(Client.KEY) String key) {
        return "card " + runs.enter(key);
    }

    @PostMapping(path = "/named/{other}", headers = "X-Kind=transfer")
    public String namedTransfer(@RequestHeader(Client.KEY) String key) {
        return "transfer " + runs.enter(key);
    }

    @PostMapping(path = "/typed/{id}", consumes = MediaType.APPLICATION_JSON_VALUE)
    public String typedJson(@RequestHeader(Client.KEY) String key) {
        return "json " + runs.enter(key);
    }

    @PostMapping(path = "/typed/{other}", consumes = "application/vnd.order.v2+json")
    public String typedSecond(@RequestHeader(Client.KEY) String key) {
        return "v2 " + runs.enter(key);
    }

    @PostMapping(path = "/accepted/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    public Map<String, Integer> acceptedInvoice(@RequestHeader(Client.KEY) String key) {
        return Map.of("invoice", runs.enter(key));
    }

    @PostMapping(path = "/accepted/{other}", produces = MediaType.TEXT_PLAIN_VALUE)
    public String acceptedLabel(@RequestHeader(Client.KEY) String key) {
        return "label " + runs.enter(key);
    }

    @PostMapping(path = "/below/{id}", headers = "X-Kind=card")
    public String belowCard(@RequestHeader(Client.KEY) String key) {
        return "card " + runs.enter(key);
    }

    @PostMapping(path = "/below/**", headers = "X-Kind=transfer")
    public String belowTransfer(@RequestHeader(Client.KEY) String key) {
        return "transfer " + runs.enter(key);
    }

    @PostMapping(path = "/rest/{*rest}", headers = "X-Kind=card")
    public String restCard(@RequestHeader(Client.KEY) String key) {
        return "card " + runs.enter(key);
    }

    @PostMapping(path = "/rest/**", headers = "X-Kind=transfer")
    public String restTransfer(@RequestHeader(Client.KEY) String key) {
        return "transfer " + runs.enter(key);
    }

    @PostMapping(path = "/crossed/begin/{id:[a-z]+}", headers = "X-Kind=card")
    public String crossedCard(@RequestHeader(Client.KEY) String key) {
        return "card " + runs.enter(key);
    }

    @PostMapping("/crossed/{id}/end")
    public String crossed(@RequestHeader(Client.KEY) String key) {
        return "everything " + runs.enter(key);
    }

    @PostMapping(path = "/special/vip", headers = "X-Kind=card")
    public String vip(@RequestHeader(Client.KEY) String key) {
        return "vip " + runs.enter(key);
    }

    @PostMapping("/special/{id}")
    public String everybody(@RequestHeader(Client.KEY) String key) {
        return "everybody " + runs.enter(key);
    }

    @PostMapping("/first/search")
    public String search(@RequestHeader(Client.KEY) String key) {
        return "search " + runs.enter(key);
    }

    @PostMapping(path = "/first/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    public Map<String, Integer> behindSearch(@RequestHeader(Client.KEY) String key) {
        return Map.of("run", runs.enter(key));
    }

    @PostMapping(path = "/parameter/{id}", params = "action=pay")
    public String namedPay(@RequestHeader(Client.KEY) String key) {
        return "pay " + runs.enter(key);
    }

    @PostMapping(path = "/parameter/{other}", params = "action=cancel")
    public String namedCancel(@RequestHeader(Client.KEY) String key) {
        return "cancel " + runs.enter(key);
    }
}
