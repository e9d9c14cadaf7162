package io.iocluster.node.chaos;

class KafkaChaosIT extends ChaosIT {

    KafkaChaosIT() {
        super(ChaosTransport.KAFKA);
    }
}
