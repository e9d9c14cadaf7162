package io.iocluster.node.door;

import static io.iocluster.node.door.DoorFixture.code;
import static io.iocluster.node.door.DoorFixture.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.settings.InvalidSettingsException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The hosts that an app may call. The target is at 127.0.0.1. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AllowedDestinationsTest {

    private DoorFixture door;

    @BeforeAll
    void start() {
        door = new DoorFixture(
                "apps: [{name: shop, destinations: [partner.example, '*.other.example']},"
                        + " {name: billing, destinations: [local]}, {name: any}]",
                "destinations: [{name: local, match: [127.0.0.1, 127.0.0.2]}]\n");
    }

    @AfterAll
    void stop() {
        door.close();
    }

    @Test
    void aCallToAnotherHostIsRefusedBeforeItIsMade() {
        HttpResponse<String> refused = door.post(door.envelope("/ok"), "IOCluster-App", "shop");

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(code(refused)).isEqualTo("destination-not-allowed");
        assertThat(json(refused).path("detail").asString("")).contains("shop", "127.0.0.1");
    }

    @Test
    void aForwardedRequestAndALineOfABatchAreRefusedToo() {
        HttpResponse<String> forwarded = door.forward("GET", "/ok", "", "IOCluster-App", "shop");
        HttpResponse<String> batch = door.call(
                "POST", "/v1/calls:batch", "application/x-ndjson", door.envelope("/ok"), "IOCluster-App", "shop");

        assertThat(forwarded.statusCode()).isEqualTo(403);
        assertThat(code(forwarded)).isEqualTo("destination-not-allowed");
        assertThat(batch.body()).contains("destination-not-allowed");
    }

    @Test
    void oneForbiddenBranchRefusesTheEnvelope() {
        String envelope = "{\"all\": [{\"url\": \"http://a.other.example/\"}, " + door.envelope("/ok") + "]}";

        HttpResponse<String> refused = door.post(envelope, "IOCluster-App", "shop");

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(json(refused).path("detail").asString("")).contains("127.0.0.1");
    }

    @Test
    void theNameOfADestinationAllowsItsHosts() {
        assertThat(door.post(door.envelope("/ok"), "IOCluster-App", "billing").statusCode())
                .isEqualTo(200);
        assertThat(door.post("{\"url\": \"http://127.0.0.3/\"}", "IOCluster-App", "billing")
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void anAppWithoutDestinationsMayCallAll() {
        assertThat(door.post(door.envelope("/ok"), "IOCluster-App", "any").statusCode())
                .isEqualTo(200);
    }

    @Test
    void aUrlThatIsNotValidIsRejectedAsUsual() {
        HttpResponse<String> rejected =
                door.post("{\"url\": \"http://user@partner.example/\"}", "IOCluster-App", "shop");

        assertThat(rejected.statusCode()).isEqualTo(400);
        assertThat(rejected.headers().firstValue("IOCluster-Outcome")).contains("rejected");
    }

    @Test
    void aDestinationThatIsNeitherANameNorAHostIsAnError() {
        assertThatThrownBy(() -> new DoorFixture("apps: [{name: shop, destinations: ['no host']}]"))
                .isInstanceOf(InvalidSettingsException.class)
                .satisfies(invalid -> assertThat(((InvalidSettingsException) invalid)
                                .invalidSettings()
                                .toString())
                        .contains("door.apps[0].destinations[0]", "no host"));
    }
}
