package io.iocluster.node.chaos;

import io.iocluster.node.chaos.broker.ChaosTransport;

class KafkaChaosIT extends ChaosIT {

    KafkaChaosIT() {
        super(ChaosTransport.KAFKA, 18);
    }
}
