package io.iocluster.node.chaos;

import io.iocluster.node.chaos.broker.ChaosTransport;

class RabbitChaosIT extends ChaosIT {

    RabbitChaosIT() {
        super(ChaosTransport.RABBIT, 14);
    }
}
