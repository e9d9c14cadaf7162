package io.iocluster.examples.spring;

import io.iocluster.client.IoClusterClient;
import io.iocluster.client.Request;
import java.util.concurrent.CompletionStage;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

/** Asks the partner about a launch without blocking a thread. */
@RestController
class MatchController {

    private final IoClusterClient cluster;
    private final PartnerProperties partner;

    MatchController(IoClusterClient cluster, PartnerProperties partner) {
        this.cluster = cluster;
        this.partner = partner;
    }

    @GetMapping("/matches/{launch}")
    CompletionStage<ResponseEntity<?>> match(@PathVariable String launch) {
        String url = UriComponentsBuilder.fromUriString(partner.url())
                .queryParam("launch", "{launch}")
                .encode()
                .buildAndExpand(launch)
                .toUriString();
        return cluster.call(Request.get(url).deadline(partner.within()).build()).thenApply(Responses::of);
    }
}
