/** Publishes answers, dead letters and delayed requests with publisher confirms. */
package io.iocluster.rabbit.sink;
