package io.iocluster.node.chaos;

class RabbitChaosIT extends ChaosIT {

    RabbitChaosIT() {
        super(ChaosTransport.RABBIT);
    }
}
