package io.iocluster;

class DataSize {}
